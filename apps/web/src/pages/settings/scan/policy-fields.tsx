import { NumberInput, Stack, Switch, Text } from '@mantine/core';
import type { ScanPolicy } from '@portcullis/contract';
import { useMessages } from '../../../i18n/messages.ts';
import { ChoiceRadios } from '../../../kit/form/choice-radios.tsx';
import type { Fields } from '../../../kit/form/fields.ts';
import { SeveritiesField } from '../../../kit/verdict/severities-field.tsx';

interface PolicyFieldsProps extends Fields<ScanPolicy> {
  /** False if the installation has no scanner. */
  scannable: boolean;
}

export function PolicyFields({ scannable, ...fields }: PolicyFieldsProps) {
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
      <ChoiceRadios
        label={t.override}
        description={t.overrideHint}
        choices={t.overrides}
        {...pick('override')}
      />
    </Stack>
  );
}

function Blocking({ value, set, check, number, amount, pick }: Fields<ScanPolicy>) {
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
    </>
  );
}
