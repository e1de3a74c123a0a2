/** Asks for a review of what a mirror keeps out, where the job is that of another account. */
import { Textarea } from '@mantine/core';
import { useDisclosure } from '@mantine/hooks';
import type { MirrorTagView } from '@portcullis/contract';
import { useState } from 'react';
import { call, keyOf, useAnswer } from '../../../api/api.ts';
import { useMessages } from '../../../i18n/messages.ts';
import { FormDialog } from '../../../kit/dialog/form-dialog.tsx';
import { Dimmed } from '../../../kit/text/dimmed.tsx';
import { Reviewers } from '../../../session/contacts.tsx';
import { EndField } from '../../job/review/end-field.tsx';
import { endOfDay, firstEnd } from '../../job/review/review-form.ts';
import { AskLink } from './ask-link.tsx';
import { folderOf } from './folder-of.ts';

export function AskReview({ tag }: { tag: MirrorTagView }) {
  const t = useMessages('mirror');
  const [opened, { open, close }] = useDisclosure();
  const { data: askable = [] } = useAnswer('folders.listAskable');
  if (!askable.includes(folderOf(tag))) return null;
  return (
    <>
      <AskLink onClick={open}>{t.askReview}</AskLink>
      {opened && <AskDialog tag={tag} onClose={close} />}
    </>
  );
}

function AskDialog({ tag, onClose }: { tag: MirrorTagView; onClose(): void }) {
  const t = useMessages('reviewRequest');
  const [now] = useState(Date.now);
  const folder = folderOf(tag);
  const place = {
    folder,
    target_image: tag.repository.slice(folder.length + 1),
    target_tag: tag.tag,
  };
  return (
    <FormDialog
      title={t.title}
      first={{ reason: '', until: firstEnd(now) }}
      operation="reviews.request"
      send={({ reason, until }) =>
        call('reviews.request', {
          body: { ...place, reason: reason.trim(), until: endOfDay(until) },
        })
      }
      lists={[keyOf('reviews.list'), keyOf('reviews.count')]}
      done={({ number }) => t.done(String(number))}
      action={t.submit}
      isReady={({ reason, until }) => reason.trim() !== '' && until !== ''}
      onClose={onClose}
    >
      {({ text }) => (
        <>
          <Dimmed>{t.fromMirror}</Dimmed>
          <Reviewers folder={folder} />
          <Textarea label={t.reason} {...text('reason')} autosize minRows={2} required />
          <EndField {...text('until')} now={now} />
        </>
      )}
    </FormDialog>
  );
}
