/** Composes, plans and starts a transfer. */
import { Button, Skeleton } from '@mantine/core';
import { LOCAL_REGISTRY_ID } from '@portcullis/domain';
import { IconArrowsTransferUp, IconCalendarClock } from '@tabler/icons-react';
import { useMutation, useQueryClient } from '@tanstack/react-query';
import { useCallback } from 'react';
import { Link, useNavigate, useSearchParams } from 'react-router';
import { call, keyOf } from '../../../api/api.ts';
import { useMessages } from '../../../i18n/messages.ts';
import { useKeptDraft } from '../../../kit/form/kept-draft.ts';
import { Breadcrumbs, PageHead } from '../../../kit/layout/page-head.tsx';
import { useRegistryChoices } from '../../images/use-registries.ts';
import { useImpliedFolder } from '../transfer-registries.ts';
import { BatchEditor } from './batch-editor.tsx';
import {
  type BatchChange,
  type BatchForm,
  batchBody,
  changedBatch,
  emptyBatch,
  filled,
  isComplete,
  readLines,
  restoredBatch,
} from './batch-form.ts';
import { usePlan } from './use-plan.ts';

export function Component() {
  const t = useMessages('batch');
  const words = useMessages('transfers');
  const [search] = useSearchParams();
  const ends = useRegistryChoices();
  const folder = useImpliedFolder();
  return (
    <>
      <Breadcrumbs label={words.title} parents={[{ name: words.back, to: '/transfers' }]} />
      <PageHead title={t.title} />
      {ends.length === 0 || folder === undefined ? (
        <Skeleton height={320} />
      ) : (
        <Builder begun={{ ...begun(search, ends), folder }} />
      )}
    </>
  );
}

/** The initial form, from the link of an image page. */
function begun(search: URLSearchParams, ends: readonly { value: string }[]): BatchForm {
  const from = search.get('from') ?? '';
  const image = search.get('image') ?? '';
  const other = ends.find(({ value }) => value !== from)?.value;
  const entries = readLines(image).map((entry) =>
    image.includes(':') ? entry : { ...entry, match: 'glob' as const, text: '*' },
  );
  return emptyBatch({
    from,
    entries,
    ...(from === LOCAL_REGISTRY_ID && other !== undefined && { to: other }),
  });
}

function useStart(form: BatchForm, sent: () => void) {
  const navigate = useNavigate();
  const queries = useQueryClient();
  return useMutation({
    mutationFn: () => call('transfers.transfer', { body: batchBody(form) }),
    onSuccess({ transfer_id }) {
      sent();
      void queries.invalidateQueries({ queryKey: keyOf('transfers.listTransfers') });
      void navigate(`/transfers/${transfer_id}`);
    },
  });
}

function Builder({ begun: first }: { begun: BatchForm }) {
  const t = useMessages('batch');
  const { value: form, set: setForm, sent } = useKeptDraft(first, restoredBatch);
  const set = useCallback(
    (change: BatchChange) => setForm((before) => changedBatch(before, change)),
    [setForm],
  );
  const planned = usePlan(form);
  const { plan, stale } = planned;
  const start = useStart(form, sent);
  const refused = !stale && (plan.data?.totals.refused ?? 0) > 0;
  const images = stale ? 0 : (plan.data?.totals.images ?? 0);
  return (
    <BatchEditor
      batch={form}
      onBatch={set}
      operation="transfers.transfer"
      plan={planned}
      error={start.error}
      onSend={() => start.mutate()}
      beside={<ScheduleLink form={form} onFollow={sent} />}
    >
      <Button
        type="submit"
        ml="auto"
        leftSection={<IconArrowsTransferUp size={16} />}
        loading={start.isPending}
        disabled={!isComplete(form) || refused}
      >
        {images > 0 ? t.start(images) : t.startUnplanned}
      </Button>
    </BatchEditor>
  );
}

/** Opens the schedule form with the current lines. */
function ScheduleLink({ form, onFollow }: { form: BatchForm; onFollow(): void }) {
  const t = useMessages('batch');
  return (
    <Button
      component={Link}
      to="/transfers/schedules/new"
      onClick={onFollow}
      state={{ batch: { ...form, entries: filled(form.entries) } }}
      variant="default"
      leftSection={<IconCalendarClock size={16} />}
    >
      {t.schedule}
    </Button>
  );
}
