/** Changes the settings of the sign-in with a provider. */
import { Stack } from '@mantine/core';
import type { OidcSettings } from '@portcullis/contract';
import { useQueryClient } from '@tanstack/react-query';
import { ask, call, keyOf, useAnswer } from '../../../api/api.ts';
import { useMessages } from '../../../i18n/messages.ts';
import { SaveBar } from '../../../kit/form/save-bar.tsx';
import { useDraftForm } from '../../../kit/form/use-draft-form.ts';
import { PageHead } from '../../../kit/layout/page-head.tsx';
import { QueryView } from '../../../kit/layout/query-view.tsx';
import classes from '../settings.module.css';
import { PeopleFields, ProviderFields, RuleFields } from './oidc-fields.tsx';
import { OidcTestPanel } from './oidc-test.tsx';

export function Component() {
  const t = useMessages('oidc');
  const settings = useAnswer('oidc.settings');
  return (
    <>
      <PageHead title={t.title} description={t.lead} />
      <QueryView query={settings} rows={3} rowHeight={180}>
        {(stored) => <Form stored={stored} />}
      </QueryView>
    </>
  );
}

function Form({ stored }: { stored: OidcSettings }) {
  const t = useMessages('oidc');
  const queries = useQueryClient();
  const form = useDraftForm(stored, {
    operation: 'oidc.change',
    send: async (changes) => {
      const settings = await call('oidc.change', { body: whole(changes) });
      queries.setQueryData(ask('oidc.settings').queryKey, settings);
      await queries.invalidateQueries({ queryKey: keyOf('oidc.config') });
    },
    saved: t.saved,
  });
  return (
    <form onSubmit={form.onSubmit} autoComplete="off" noValidate>
      <div className={classes.columns}>
        <Stack>
          <ProviderFields {...form.fields} />
          <PeopleFields {...form.fields} />
          <RuleFields {...form.fields} />
        </Stack>
        <OidcTestPanel changes={whole(form.changes)} />
      </div>
      <SaveBar {...form.bar} />
    </form>
  );
}

/** Without the empty lines of the mapping. */
function whole(changes: Partial<OidcSettings>): Partial<OidcSettings> {
  if (!changes.group_mapping) return changes;
  return {
    ...changes,
    group_mapping: changes.group_mapping.filter(({ claim, group }) => claim !== '' || group !== ''),
  };
}
