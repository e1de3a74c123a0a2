import { Checkbox, Group, NumberInput, Radio, Stack, Switch, Text } from '@mantine/core';
import type { ScanPolicy } from '@portcullis/contract';
import { MOST_DATABASE_AGE_DAYS, SEVERITIES } from '@portcullis/domain';
import { useMessages } from '../../../i18n/messages.ts';

interface PolicyFieldsProps {
  value: ScanPolicy;
  set(change: Partial<ScanPolicy>): void;
  faults: Readonly<Record<string, string>>;
  /** False if the installation has no scanner. */
  scannable: boolean;
}

export function PolicyFields({ value, set, faults, scannable }: PolicyFieldsProps) {
  const t = useMessages('scan');
  return (
    <Stack gap="lg">
      <Switch
        label={t.enabled}
        description={t.enabledHint}
        checked={value.scan_enabled}
        disabled={!scannable}
        onChange={(event) => set({ scan_enabled: event.currentTarget.checked })}
      />
      {(value.scan_enabled || !scannable) && <Blocking value={value} set={set} faults={faults} />}
      <Radio.Group
        label={t.override}
        description={t.overrideHint}
        value={value.override}
        onChange={(chosen) => set({ override: chosen === 'anyone' ? 'anyone' : 'privileged' })}
      >
        <Stack gap={6} mt={8}>
          <Radio value="privileged" label={t.overrides.privileged} />
          <Radio value="anyone" label={t.overrides.anyone} />
        </Stack>
      </Radio.Group>
    </Stack>
  );
}

function Blocking({ value, set, faults }: Omit<PolicyFieldsProps, 'scannable'>) {
  const t = useMessages('scan');
  const { severity } = useMessages('verdict');
  return (
    <>
      <Checkbox.Group
        label={t.severities}
        description={t.severitiesHint}
        error={faults.severities}
        value={value.severities}
        onChange={(chosen) =>
          set({ severities: SEVERITIES.filter((each) => chosen.includes(each)) })
        }
      >
        <Group gap="lg" mt={8}>
          {SEVERITIES.map((each) => (
            <Checkbox key={each} value={each} label={severity[each]} />
          ))}
        </Group>
        {value.severities.length === 0 && (
          <Text size="sm" mt={6}>
            {t.noSeverities}
          </Text>
        )}
      </Checkbox.Group>
      <Switch
        label={t.unfixed}
        description={t.unfixedHint}
        checked={value.ignore_unfixed}
        onChange={(event) => set({ ignore_unfixed: event.currentTarget.checked })}
      />
      <Radio.Group
        label={t.onError}
        value={value.on_error}
        onChange={(chosen) => set({ on_error: chosen === 'allow' ? 'allow' : 'block' })}
      >
        <Stack gap={6} mt={8}>
          <Radio value="block" label={t.onErrors.block} description={t.onErrorHints.block} />
          <Radio value="allow" label={t.onErrors.allow} description={t.onErrorHints.allow} />
        </Stack>
      </Radio.Group>
      <Switch
        label={t.thirdParty}
        description={t.thirdPartyHint}
        checked={value.third_party === 'partial'}
        onChange={(event) =>
          set({ third_party: event.currentTarget.checked ? 'partial' : 'accept' })
        }
      />
      <NumberInput
        label={t.timeout}
        w={200}
        min={1}
        max={86_400}
        suffix={` ${t.seconds}`}
        value={value.timeout_s}
        error={faults.timeout_s}
        onChange={(seconds) => set({ timeout_s: Number(seconds) })}
      />
      <NumberInput
        label={t.databaseAge}
        description={t.databaseAgeHint}
        placeholder={t.anyAge}
        w={320}
        maw="100%"
        min={1}
        max={MOST_DATABASE_AGE_DAYS}
        suffix={` ${t.days}`}
        value={value.max_database_age_days ?? ''}
        error={faults.max_database_age_days}
        onChange={(days) => set({ max_database_age_days: days === '' ? null : Number(days) })}
      />
    </>
  );
}
