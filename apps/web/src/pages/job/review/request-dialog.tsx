/** Asks the reviewers for an image for one destination. */
import { Checkbox, Group, Text, Textarea, TextInput } from '@mantine/core';
import type { Job } from '@portcullis/contract';
import { useState } from 'react';
import { call, keyOf, useAnswer } from '../../../api/api.ts';
import { useMessages } from '../../../i18n/messages.ts';
import { FormDialog } from '../../../kit/dialog/form-dialog.tsx';
import { ChoiceField } from '../../../kit/form/choices.tsx';
import type { Fields } from '../../../kit/form/fields.ts';
import { Dimmed } from '../../../kit/text/dimmed.tsx';
import { Reviewers } from '../../../session/contacts.tsx';
import { impliedFolder } from '../../images/implied-folder.ts';
import { useMirrorFolders } from '../../images/mirror-folders.ts';
import { isComplete } from '../push/push-form.ts';
import { PushPreviewView } from '../push/push-preview.tsx';
import { PushTarget } from '../push/push-target.tsx';
import { usePushPreview } from '../push/use-push-preview.ts';
import { EndField } from './end-field.tsx';
import { firstRequest, type RequestForm, requestBody } from './request-form.ts';

interface RequestDialogProps {
  job: Job;
  onClose(): void;
}

export default function RequestDialog({ job, onClose }: RequestDialogProps) {
  const t = useMessages('reviewRequest');
  const [first] = useState(() => firstRequest(job, Date.now()));
  const { data: pushable } = useAnswer('folders.listPushable');
  const implied = pushable ? impliedFolder(pushable) : null;
  const withFolder = (form: RequestForm) => ({ ...form, folder: form.folder ?? implied });
  return (
    <FormDialog
      title={t.title}
      size="lg"
      first={first}
      operation="reviews.request"
      send={(form) => call('reviews.request', { body: requestBody(job.job_id, withFolder(form)) })}
      lists={[
        keyOf('reviews.list'),
        keyOf('reviews.count'),
        keyOf('staging.getJob', { params: { job_id: job.job_id } }),
      ]}
      done={({ number }) => t.done(String(number))}
      action={t.submit}
      isReady={(form) => isComplete(withFolder(form)) && form.reason.trim() !== ''}
      onClose={onClose}
    >
      {(fields) => (
        <RequestFields
          {...fields}
          value={withFolder(fields.value)}
          own={first.folder}
          job={job}
          pushable={pushable}
        />
      )}
    </FormDialog>
  );
}

interface RequestFieldsProps extends Fields<RequestForm> {
  job: Job;
  /** The folder that is proposed. */
  own: string | null;
  pushable: readonly string[] | undefined;
}

const TARGETS = ['local', 'saved'] as const;

function RequestFields({ job, own, pushable, ...fields }: RequestFieldsProps) {
  const t = useMessages('reviewRequest');
  const words = useMessages('push');
  const { value, text, check, pick } = fields;
  const [now] = useState(Date.now);
  const mirrors = useMirrorFolders();
  const isMirror = value.target === 'local' && mirrors.has(value.folder ?? '');
  // No mirror is offered but the one that brings this image in.
  const offered = own !== null && mirrors.has(own) ? [own, ...(pushable ?? [])] : pushable;
  return (
    <>
      <Text size="sm">{t.lead}</Text>
      <Reviewers folder={value.target === 'local' ? value.folder || undefined : undefined} />
      <ChoiceField label={words.to} values={TARGETS} names={words.targets} {...pick('target')} />
      <PushTarget {...fields} pushable={offered} />
      <Group grow align="flex-start" preventGrowOverflow={false}>
        <TextInput
          label={words.image}
          {...text('image', 'target_image')}
          spellCheck={false}
          required
        />
        <TextInput label={words.tag} {...text('tag', 'target_tag')} spellCheck={false} required />
      </Group>
      {isMirror ? <Dimmed>{t.fromMirror}</Dimmed> : <Preview job={job} form={value} />}
      <Textarea label={t.reason} {...text('reason')} autosize minRows={2} required data-autofocus />
      <Group grow align="flex-start" preventGrowOverflow={false}>
        <TextInput label={t.ticket} {...text('ticket')} />
        <EndField {...text('until')} now={now} />
      </Group>
      {!isMirror && <Checkbox label={t.pushWhenApproved} {...check('pushWhenApproved')} />}
    </>
  );
}

function Preview({ job, form }: { job: Job; form: RequestForm }) {
  return <PushPreviewView job={job} form={form} preview={usePushPreview(job, form)} />;
}
