/** Asks for a review of what a mirror keeps out, where the job is that of another account. */
import { Anchor, Textarea, TextInput } from '@mantine/core';
import { useDisclosure } from '@mantine/hooks';
import type { MirrorTagView } from '@portcullis/contract';
import { useState } from 'react';
import { call, keyOf, useAnswer } from '../../../api/api.ts';
import { useMessages } from '../../../i18n/messages.ts';
import { FormDialog } from '../../../kit/dialog/form-dialog.tsx';
import table from '../../../kit/table/table.module.css';
import { Dimmed } from '../../../kit/text/dimmed.tsx';
import { Reviewers } from '../../../session/contacts.tsx';
import { dayOf, endOfDay, firstEnd, lastDay } from '../../job/review/review-form.ts';
import { folderOf } from './folder-of.ts';

export function AskReview({ tag }: { tag: MirrorTagView }) {
  const t = useMessages('mirror');
  const [opened, { open, close }] = useDisclosure();
  const { data: askable = [] } = useAnswer('folders.listAskable');
  if (!askable.includes(folderOf(tag))) return null;
  return (
    <>
      <Anchor
        component="button"
        type="button"
        size="sm"
        ta="left"
        onClick={open}
        className={table.above ?? ''}
      >
        {t.askReview}
      </Anchor>
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
          <TextInput
            type="date"
            label={t.until}
            description={t.untilHint}
            {...text('until')}
            min={dayOf(now)}
            max={lastDay(now)}
            required
          />
        </>
      )}
    </FormDialog>
  );
}
