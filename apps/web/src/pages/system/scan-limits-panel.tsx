/** How long a scan may take, and how old its vulnerability database may be. */
import { NumberInput, Stack } from '@mantine/core';
import type { ScanPolicy } from '@portcullis/contract';
import { useQueryClient } from '@tanstack/react-query';
import { call, keyOf, useAnswer } from '../../api/api.ts';
import { useMessages } from '../../i18n/messages.ts';
import { SaveBar } from '../../kit/form/save-bar.tsx';
import { useDraftForm } from '../../kit/form/use-draft-form.ts';
import { Panel } from '../../kit/layout/panel.tsx';
import { QueryView } from '../../kit/layout/query-view.tsx';

export function ScanLimitsPanel() {
  const t = useMessages('scan');
  const state = useAnswer('trivy.state');
  return (
    <Panel title={t.limits}>
      <QueryView query={state} rows={2}>
        {({ policy }) => <LimitsForm stored={policy} />}
      </QueryView>
    </Panel>
  );
}

function LimitsForm({ stored }: { stored: ScanPolicy }) {
  const t = useMessages('scan');
  const queries = useQueryClient();
  const form = useDraftForm(stored, {
    operation: 'trivy.setOverride',
    send: async ({ source: _, ...body }) => {
      await call('trivy.setOverride', { body });
      await queries.invalidateQueries({ queryKey: keyOf('trivy.state') });
    },
    saved: t.limitsSaved,
  });
  const { number, amount } = form.fields;
  return (
    <form onSubmit={form.onSubmit} noValidate>
      <Stack gap="sm">
        <NumberInput label={t.timeout} w={200} suffix={` ${t.seconds}`} {...number('timeout_s')} />
        <NumberInput
          label={t.databaseAge}
          description={t.databaseAgeHint}
          placeholder={t.anyAge}
          w={320}
          maw="100%"
          suffix={` ${t.days}`}
          {...amount('max_database_age_days')}
        />
      </Stack>
      <SaveBar inFlow {...form.bar} />
    </form>
  );
}
