/** Accounts that review request waivers of the blocking findings of a job, one for each. */
import { Stack, Text } from '@mantine/core';
import type { Job, VulnerabilityView } from '@portcullis/contract';
import { ROOT_FOLDER } from '@portcullis/domain';
import { useMutation, useQueryClient } from '@tanstack/react-query';
import { type FormEvent, use, useState } from 'react';
import { call, keyOf, useAnswer } from '../../../api/api.ts';
import { useMessages } from '../../../i18n/messages.ts';
import { useNotices } from '../../../kit/action/notices.ts';
import { FormActions } from '../../../kit/dialog/form-actions.tsx';
import { FaultAlert } from '../../../kit/fault/fault.tsx';
import { AskedModal, useChanged } from '../../../kit/form/asked-close.tsx';
import { withChoice } from '../../../kit/form/chosen.ts';
import { faultsOf, fieldsOf } from '../../../kit/form/fields.ts';
import { DialogContent } from '../../../kit/layout/dialog-content.tsx';
import { Reviewers } from '../../../session/contacts.tsx';
import { FindingWaiversContext } from '../findings/finding-waivers.ts';
import { FindingChoice } from './finding-choice.tsx';
import { ReviewFields } from './review-fields.tsx';
import {
  emptyReview,
  isReviewComplete,
  proposedFolder,
  type ReviewForm,
  waiverBodies,
} from './review-form.ts';

interface ReviewDialogProps {
  job: Job;
  blocking: readonly VulnerabilityView[];
  onClose(): void;
}

export function ReviewDialog(props: ReviewDialogProps) {
  const t = useMessages('review');
  return (
    <AskedModal opened onClose={props.onClose} title={t.allowTitle} size="lg">
      {(close) => (
        <DialogContent>
          <Review {...props} onCancel={close} />
        </DialogContent>
      )}
    </AskedModal>
  );
}

interface ReviewProps extends ReviewDialogProps {
  onCancel(): void;
}

function Review({ job, blocking, onClose, onCancel }: ReviewProps) {
  const t = useMessages('review');
  const known = use(FindingWaiversContext);
  const { data: askable } = useAnswer('folders.listAskable');
  const [form, setForm] = useState(() => {
    const open = blocking.filter(({ id }) => !known.has(id));
    return emptyReview(
      (open.length > 0 ? open : blocking).map(({ id }) => id),
      Date.now(),
    );
  });
  const [proposed] = useState(form.chosen);
  // Thousands may be chosen: they are not compared with each key.
  useChanged({ ...form, chosen: form.chosen === proposed });
  const [requested, setRequested] = useState(0);
  const own = proposedFolder(job);
  const names = [...new Set([...(own ? [own] : []), ...(askable ?? [])])].filter(
    (name) => name !== ROOT_FOLDER,
  );
  const folder = form.folder ?? own ?? names[0] ?? (askable ? '' : null);
  const set = (change: Partial<ReviewForm>) => setForm({ ...form, ...change });
  const request = useRequests(job, {
    made(id) {
      setRequested((count) => count + 1);
      setForm((before) => ({ ...before, chosen: withChoice(before.chosen, id, false) }));
    },
    onDone: onClose,
  });
  const faults = faultsOf(request.error);
  const fields = fieldsOf({ value: form, set, faults }, 'waivers.request');

  function submit(event: FormEvent): void {
    event.preventDefault();
    if (isReviewComplete(form, folder))
      request.mutate(waiverBodies(form, job, { blocking, folder: folder ?? '' }));
  }

  return (
    <form onSubmit={submit} noValidate>
      <Stack>
        <Text size="sm">{t.own}</Text>
        {folder !== null && <Reviewers folder={folder || undefined} />}
        <FindingChoice
          blocking={blocking}
          chosen={form.chosen}
          onChange={(chosen) => set({ chosen })}
        />
        <ReviewFields
          {...fields}
          folder={folder}
          folders={[
            ...names.map((name) => ({ value: name, label: name })),
            { value: '', label: t.allFolders },
          ]}
        />
        <Failure error={request.error} requested={requested} />
        <FormActions
          action={t.submit(form.chosen.size)}
          pending={request.isPending}
          disabled={!isReviewComplete(form, folder)}
          onCancel={onCancel}
        />
      </Stack>
    </form>
  );
}

function Failure({ error, requested }: { error: unknown; requested: number }) {
  const t = useMessages('review');
  return (
    <>
      {Boolean(error) && requested > 0 && <Text size="sm">{t.partly(requested)}</Text>}
      <FaultAlert error={error} />
    </>
  );
}

interface RequestHandlers {
  made(vulnerability: string): void;
  onDone(): void;
}

/** One after the other: after a failure those that were made are no longer chosen. */
function useRequests(job: Job, { made, onDone }: RequestHandlers) {
  const t = useMessages('review');
  const queries = useQueryClient();
  const notices = useNotices();
  return useMutation({
    async mutationFn(bodies: ReturnType<typeof waiverBodies>) {
      for (const body of bodies) {
        await call('waivers.request', { body });
        made(body.vulnerability);
      }
    },
    onSuccess(_, { length }) {
      notices.done(t.done(length));
      onDone();
    },
    onSettled: () =>
      Promise.all([
        queries.invalidateQueries({
          queryKey: keyOf('waivers.ofFindings', { query: { job_id: job.job_id } }),
        }),
        queries.invalidateQueries({ queryKey: keyOf('waivers.list') }),
      ]),
  });
}
