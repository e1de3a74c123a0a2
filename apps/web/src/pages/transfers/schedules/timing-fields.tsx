/** Chooses when a schedule runs, by days and hours or by a cron expression. */
import { Chip, Group, NumberInput, Select, Stack, Text, TextInput, Title } from '@mantine/core';
import { useDebouncedValue } from '@mantine/hooks';
import { useState } from 'react';
import { useAnswer } from '../../../api/api.ts';
import { isProblem } from '../../../api/problem-error.ts';
import { localeOf } from '../../../i18n/format.ts';
import { useLanguage } from '../../../i18n/language.tsx';
import { useMessages } from '../../../i18n/messages.ts';
import { useFaultText } from '../../../kit/fault/fault.tsx';
import { ChoiceSelect } from '../../../kit/form/choices.tsx';
import { Dimmed } from '../../../kit/text/dimmed.tsx';
import classes from '../transfers.module.css';
import { type CronForm, cronOf, readCron } from './cron-form.ts';
import { useCronText } from './use-cron-text.ts';

export interface ScheduleTiming {
  cron: string;
  timezone: string;
}

interface TimingFieldsProps {
  value: ScheduleTiming;
  set(change: Partial<ScheduleTiming>): void;
  faultAt(path: string): string | undefined;
}

export function TimingFields({ value: times, set, faultAt }: TimingFieldsProps) {
  const t = useMessages('schedule');
  const [form, setForm] = useState(() => readCron(times.cron));
  function change(part: Partial<CronForm>): void {
    const next = { ...form, ...part };
    const cron = cronOf(next);
    setForm(part.rhythm === 'custom' ? { ...next, custom: times.cron } : next);
    set({ cron: part.rhythm === 'custom' ? times.cron : cron });
  }
  return (
    <section className={classes.when}>
      <Title order={2} mb="xs">
        {t.when}
      </Title>
      <Stack gap="sm">
        <Group align="flex-start" gap="sm">
          <ChoiceSelect
            label={t.rhythmLabel}
            names={t.rhythm}
            value={form.rhythm}
            onChange={(rhythm) => change({ rhythm })}
          />
          <Moment form={form} change={change} fault={faultAt('cron')} />
          <Timezone
            value={times.timezone}
            onChange={(timezone) => set({ timezone })}
            fault={faultAt('timezone')}
          />
        </Group>
        {form.rhythm === 'weekly' && (
          <Weekdays chosen={form.weekdays} onChange={(weekdays) => change({ weekdays })} />
        )}
        <NextRuns times={times} />
        <Dimmed>{t.rights}</Dimmed>
      </Stack>
    </section>
  );
}

interface MomentProps {
  form: CronForm;
  change(part: Partial<CronForm>): void;
  fault: string | undefined;
}

function Moment({ form, change, fault }: MomentProps) {
  const t = useMessages('schedule');
  if (form.rhythm === 'custom')
    return (
      <TextInput
        label={t.cron}
        description={t.cronHint}
        value={form.custom}
        onChange={(event) => change({ custom: event.currentTarget.value })}
        error={fault}
        spellCheck={false}
        styles={{ input: { fontFamily: 'var(--mantine-font-family-monospace)' } }}
      />
    );
  if (form.rhythm === 'hourly')
    return (
      <NumberInput
        label={t.minute}
        value={Number(form.time.slice(3))}
        onChange={(minute) => change({ time: `00:${String(minute || 0).padStart(2, '0')}` })}
        min={0}
        max={59}
        w={150}
      />
    );
  return (
    <>
      {form.rhythm === 'monthly' && (
        <NumberInput
          label={t.monthDay}
          value={form.monthDay}
          onChange={(day) => change({ monthDay: Number(day) || 1 })}
          min={1}
          max={31}
          w={150}
        />
      )}
      <TextInput
        type="time"
        label={t.time}
        value={form.time}
        onChange={(event) =>
          event.currentTarget.value && change({ time: event.currentTarget.value })
        }
        w={130}
      />
    </>
  );
}

/** Monday first; 0 is Sunday, as in cron. */
const WEEK = [1, 2, 3, 4, 5, 6, 0];
const A_SUNDAY = Date.UTC(2026, 0, 4);
const DAY_MS = 86_400_000;

function Weekdays({ chosen, onChange }: { chosen: number[]; onChange(days: number[]): void }) {
  const t = useMessages('schedule');
  const [language] = useLanguage();
  const name = new Intl.DateTimeFormat(language, { weekday: 'short', timeZone: 'UTC' });
  return (
    <Group gap={6} role="group" aria-label={t.weekdays}>
      <Chip.Group
        multiple
        value={chosen.map(String)}
        onChange={(days) => onChange(days.map(Number))}
      >
        {WEEK.map((day) => (
          <Chip key={day} value={String(day)} size="sm">
            {name.format(A_SUNDAY + day * DAY_MS)}
          </Chip>
        ))}
      </Chip.Group>
    </Group>
  );
}

interface TimezoneProps {
  value: string;
  onChange(timezone: string): void;
  fault: string | undefined;
}

function Timezone({ value, onChange, fault }: TimezoneProps) {
  const t = useMessages('schedule');
  const zones = [...new Set(['UTC', value, ...Intl.supportedValuesOf('timeZone')])];
  return (
    <Select
      label={t.timezone}
      data={zones}
      value={value}
      onChange={(zone) => zone !== null && onChange(zone)}
      error={fault}
      allowDeselect={false}
      limit={50}
      searchable
    />
  );
}

/** The schedule in words, and its next runs as computed by the server. */
function NextRuns({ times }: { times: ScheduleTiming }) {
  const t = useMessages('schedule');
  const [{ cron, timezone }] = useDebouncedValue(times, 300);
  const [language] = useLanguage();
  const words = useCronText(cron);
  const preview = useAnswer(
    'transfers.previewSchedule',
    { query: { cron, timezone } },
    { enabled: cron !== '', retry: false },
  );
  const shown = new Intl.DateTimeFormat(localeOf(language, navigator.languages), {
    dateStyle: 'full',
    timeStyle: 'short',
    timeZone: timezone,
  });
  if (preview.isError) return <TimesFault error={preview.error} />;
  return (
    <div aria-live="polite">
      <Text fw={580}>{words}</Text>
      <Dimmed mt={4}>{t.next}</Dimmed>
      <Stack component="ol" gap={4} fz="sm">
        {preview.data?.next_runs.slice(0, 3).map((at) => (
          <li key={at}>{shown.format(new Date(at))}</li>
        ))}
      </Stack>
    </div>
  );
}

function TimesFault({ error }: { error: Error }) {
  const faultText = useFaultText();
  const [why] = isProblem(error, 'VALIDATION_FAILED') ? Object.values(error.fields) : [];
  return (
    <div role="alert">
      <Text size="sm" c="var(--mantine-color-error)">
        {why ?? faultText(error)}
      </Text>
    </div>
  );
}
