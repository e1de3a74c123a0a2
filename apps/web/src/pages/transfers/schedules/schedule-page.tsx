/** Creates and changes a schedule. */
import { Button, Group, Skeleton, Switch, TextInput } from '@mantine/core';
import type { ScheduleView } from '@portcullis/contract';
import { useMutation, useQueryClient } from '@tanstack/react-query';
import { useCallback } from 'react';
import { useLocation, useNavigate, useParams } from 'react-router';
import { call, keyOf, useAnswer } from '../../../api/api.ts';
import { useMessages } from '../../../i18n/messages.ts';
import { useNotices } from '../../../kit/action/notices.ts';
import { FaultView } from '../../../kit/fault/fault.tsx';
import { alike } from '../../../kit/form/alike.ts';
import { faultsOf, fieldsOf } from '../../../kit/form/fields.ts';
import { useKeptDraft } from '../../../kit/form/kept-draft.ts';
import { Breadcrumbs, PageHead } from '../../../kit/layout/page-head.tsx';
import { useRegistryChoices } from '../../images/use-registries.ts';
import { referrerChoice } from '../../pull/referrer-words.ts';
import { BatchEditor } from '../batch/batch-editor.tsx';
import {
  type BatchChange,
  type BatchForm,
  batchBody,
  batchOf,
  changedBatch,
  emptyBatch,
  isComplete,
  restoredBatch,
} from '../batch/batch-form.ts';
import { usePlan } from '../batch/use-plan.ts';
import { useImpliedFolder } from '../transfer-registries.ts';
import { type ScheduleTiming, TimingFields } from './timing-fields.tsx';

interface ScheduleForm extends ScheduleTiming {
  name: string;
  enabled: boolean;
  batch: BatchForm;
}

export function Component() {
  const t = useMessages('schedule');
  const { scheduleId } = useParams();
  const folder = useImpliedFolder();
  const known = useRegistryChoices().length > 0 && folder !== undefined;
  const given = useLocation().state as { batch?: BatchForm } | null;
  return (
    <>
      <Breadcrumbs label={t.title} parents={[{ name: t.title, to: '/transfers/schedules' }]} />
      {!known && <Skeleton height={320} />}
      {known && scheduleId !== undefined && <Existing id={scheduleId} />}
      {known && scheduleId === undefined && (
        <>
          <PageHead title={t.newTitle} />
          <Editor first={fresh(given?.batch ?? emptyBatch({ folder }))} saved={null} />
        </>
      )}
    </>
  );
}

function fresh(batch: BatchForm): ScheduleForm {
  const { timeZone: timezone } = new Intl.DateTimeFormat().resolvedOptions();
  return { name: '', enabled: true, batch, cron: '0 3 * * *', timezone };
}

function formOf({ name, enabled, cron, timezone, ...request }: ScheduleView): ScheduleForm {
  return { name, enabled, cron, timezone, batch: batchOf(request) };
}

function Existing({ id }: { id: string }) {
  const schedule = useAnswer(
    'transfers.getSchedule',
    { params: { id } },
    { refetchOnWindowFocus: false },
  );
  if (schedule.isError)
    return <FaultView error={schedule.error} retry={() => void schedule.refetch()} />;
  if (!schedule.data) return <Skeleton height={320} />;
  return (
    <>
      <PageHead title={schedule.data.name} />
      <Editor key={id} first={formOf(schedule.data)} saved={schedule.data} />
    </>
  );
}

function useSave(saved: ScheduleView | null, sent: () => void) {
  const t = useMessages('schedule');
  const queries = useQueryClient();
  const navigate = useNavigate();
  const notices = useNotices();
  return useMutation({
    mutationFn: ({ batch, ...times }: ScheduleForm) => {
      const body = {
        ...withAbsent(batchBody(batch)),
        ...times,
        include_referrers: referrerChoice(batch.referrers),
        bypass_gate: batch.passBlocked,
      };
      return saved === null
        ? call('transfers.createSchedule', { body })
        : call('transfers.updateSchedule', { params: { id: saved.id }, body });
    },
    async onSuccess({ id, name }) {
      queries.removeQueries({ queryKey: keyOf('transfers.getSchedule', { params: { id } }) });
      void queries.invalidateQueries({ queryKey: keyOf('transfers.listSchedules') });
      sent();
      await navigate('/transfers/schedules');
      notices.done(t.saved(name));
    },
  });
}

/** The update is partial, so removed values are sent as null. */
function withAbsent(body: ReturnType<typeof batchBody>): ReturnType<typeof batchBody> {
  return {
    ...body,
    source_registry_id: body.source_registry_id ?? null,
    dest_folder: body.dest_folder ?? null,
    dest_tag: body.dest_tag ?? null,
    bypass_reason: body.bypass_reason ?? null,
    vuln_scan_enabled_override: body.vuln_scan_enabled_override ?? null,
    vuln_severities_override: body.vuln_severities_override ?? null,
  };
}

function restored(stored: unknown, first: ScheduleForm): ScheduleForm {
  const form = alike(stored, first);
  return { ...form, batch: restoredBatch(form.batch, first.batch) };
}

function Editor({ first, saved }: { first: ScheduleForm; saved: ScheduleView | null }) {
  const t = useMessages('schedule');
  const { value: form, set: setForm, sent } = useKeptDraft(first, restored);
  const setBatch = useCallback(
    (change: BatchChange) =>
      setForm((before) => ({ ...before, batch: changedBatch(before.batch, change) })),
    [setForm],
  );
  const set = (change: Partial<ScheduleForm>) => setForm((before) => ({ ...before, ...change }));
  const save = useSave(saved, sent);
  const fields = fieldsOf(
    { value: form, set, faults: faultsOf(save.error) },
    'transfers.createSchedule',
  );
  return (
    <BatchEditor
      batch={form.batch}
      onBatch={setBatch}
      operation="transfers.createSchedule"
      plan={usePlan(form.batch)}
      error={save.error}
      onSend={() => save.mutate(form)}
      above={
        <>
          <Group align="flex-end" gap="lg">
            <TextInput
              label={t.name}
              placeholder={t.namePlaceholder}
              {...fields.text('name')}
              flex="1 1 260px"
              maw={460}
              required
            />
            <Switch mb={8} label={t.enabled} {...fields.check('enabled')} />
          </Group>
          <TimingFields {...fields} />
        </>
      }
    >
      <Button
        type="submit"
        ml="auto"
        loading={save.isPending}
        disabled={!isComplete(form.batch) || form.name.trim() === ''}
      >
        {t.save}
      </Button>
    </BatchEditor>
  );
}
