/** Changes the scan settings and the default policy. */
import { Alert, NumberInput, Stack, Switch, Text } from '@mantine/core';
import type { ScannerState, ScanPolicy } from '@portcullis/contract';
import { useQueryClient } from '@tanstack/react-query';
import { useContext } from 'react';
import { call, useAnswer } from '../../../api/api.ts';
import { LanguageContext, useMessages } from '../../../i18n/messages.ts';
import { ChoiceRadios } from '../../../kit/form/choices.tsx';
import type { Fields } from '../../../kit/form/fields.ts';
import { SaveBar } from '../../../kit/form/save-bar.tsx';
import { useDraftForm } from '../../../kit/form/use-draft-form.ts';
import { Breadcrumbs, PageHead } from '../../../kit/layout/page-head.tsx';
import { Panel } from '../../../kit/layout/panel.tsx';
import { QueryView } from '../../../kit/layout/query-view.tsx';
import { SeveritiesField } from '../../../kit/verdict/severities-field.tsx';
import { SettingSource } from '../setting-source.tsx';

export function Component() {
  const t = useMessages('scan');
  const navigation = useMessages('navigation');
  const state = useAnswer('trivy.state');
  return (
    <>
      <Breadcrumbs
        label={t.title}
        parents={[{ name: navigation.policies, to: '/settings/policies' }]}
      />
      <PageHead title={t.title} description={t.lead} />
      <QueryView query={state} rows={1} rowHeight={360}>
        {(scanner) => (
          <Stack maw={720}>
            <ScannerNote {...scanner} />
            <PolicyForm stored={scanner.policy} scannable={scanner.enabled} />
          </Stack>
        )}
      </QueryView>
    </>
  );
}

function ScannerNote({ enabled, available }: ScannerState) {
  const t = useMessages('scan');
  if (enabled && available) return null;
  return (
    <Alert color="gray" variant="light">
      {enabled ? t.unavailable : t.disabled}
    </Alert>
  );
}

const STATE = ['trivy.state'];

function PolicyForm({ stored, scannable }: { stored: ScanPolicy; scannable: boolean }) {
  const t = useMessages('scan');
  const queries = useQueryClient();
  const form = useDraftForm(stored, {
    operation: 'trivy.setOverride',
    send: async ({ source: _, ...body }) => {
      await call('trivy.setOverride', { body });
      await queries.invalidateQueries({ queryKey: STATE });
    },
    saved: t.saved,
  });
  return (
    <form onSubmit={form.onSubmit} noValidate>
      <Panel
        title={t.gate}
        description={<PolicySentence policy={form.fields.value} />}
        actions={
          <SettingSource
            source={stored.source}
            reset={() => call('trivy.resetOverride')}
            queryKey={STATE}
          />
        }
      >
        <PolicyFields {...form.fields} scannable={scannable} />
      </Panel>
      <SaveBar inFlow {...form.bar} />
    </form>
  );
}

function PolicySentence({ policy }: { policy: ScanPolicy }) {
  const t = useMessages('scan');
  const { severity } = useMessages('verdict');
  const either = new Intl.ListFormat(useContext(LanguageContext), { type: 'disjunction' });
  if (!policy.scan_enabled) return t.sentenceOff;
  if (policy.severities.length === 0) return t.sentenceNone;
  return t.sentence(either.format(policy.severities.map((each) => severity[each])));
}

interface PolicyFieldsProps extends Fields<ScanPolicy> {
  /** False if the installation has no scanner. */
  scannable: boolean;
}

function PolicyFields({ scannable, ...fields }: PolicyFieldsProps) {
  const t = useMessages('scan');
  const { value, check, pick } = fields;
  return (
    <Stack gap="lg">
      <Switch
        label={t.enabled}
        description={t.enabledHint}
        {...check('scan_enabled')}
        disabled={!scannable}
      />
      {(value.scan_enabled || !scannable) && <Blocking {...fields} />}
      <Cooldown {...fields} />
      <ChoiceRadios
        label={t.override}
        description={t.overrideHint}
        choices={t.overrides}
        {...pick('override')}
      />
    </Stack>
  );
}

/** In the words of other policies. */
function Cooldown({ number, pick }: Fields<ScanPolicy>) {
  const t = useMessages('policies');
  return (
    <>
      <NumberInput
        label={t.minAge}
        description={t.minAgeHint}
        suffix={` ${t.hours}`}
        w={200}
        {...number('min_age_hours')}
      />
      <ChoiceRadios
        label={t.unlessFixes}
        description={t.unlessFixesHint}
        choices={t.unlessFixed}
        {...pick('unless_fixes')}
      />
    </>
  );
}

function Blocking({ value, set, check, pick }: Fields<ScanPolicy>) {
  const t = useMessages('scan');
  return (
    <>
      <SeveritiesField label={t.severities} description={t.severitiesHint} {...pick('severities')}>
        {value.severities.length === 0 && (
          <Text size="sm" mt={6}>
            {t.noSeverities}
          </Text>
        )}
      </SeveritiesField>
      <Switch label={t.unfixed} description={t.unfixedHint} {...check('ignore_unfixed')} />
      <ChoiceRadios
        label={t.onError}
        choices={{
          block: { name: t.onErrors.block, effect: t.onErrorHints.block },
          allow: { name: t.onErrors.allow, effect: t.onErrorHints.allow },
        }}
        {...pick('on_error')}
      />
      <Switch
        label={t.thirdParty}
        description={t.thirdPartyHint}
        checked={value.third_party === 'partial'}
        onChange={(event) =>
          set({ third_party: event.currentTarget.checked ? 'partial' : 'accept' })
        }
      />
    </>
  );
}
