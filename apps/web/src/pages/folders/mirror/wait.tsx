/** Until when an image of the upstream waits for its age, and the way past it. */
import { Textarea } from '@mantine/core';
import { useDisclosure } from '@mantine/hooks';
import type { MirrorTagView } from '@portcullis/contract';
import { AGE } from '@portcullis/domain';
import { call, keyOf, useAnswer } from '../../../api/api.ts';
import { useWords } from '../../../i18n/messages.ts';
import { FormDialog } from '../../../kit/dialog/form-dialog.tsx';
import table from '../../../kit/table/table.module.css';
import { Dimmed } from '../../../kit/text/dimmed.tsx';
import { useAccount } from '../../../session/account.ts';
import { Reviewers } from '../../../session/contacts.tsx';
import { isReviewer } from '../../waivers/reviewer.ts';
import { AskLink } from './ask-link.tsx';
import { folderOf } from './folder-of.ts';

interface WaitProps {
  tag: MirrorTagView;
  until: string;
}

export function Wait({ tag, until }: WaitProps) {
  const [t, format] = useWords('mirror');
  const account = useAccount();
  const [opened, { open, close }] = useDisclosure();
  const { data: askable = [] } = useAnswer('folders.listAskable');
  const may = isReviewer(account) || askable.includes(folderOf(tag));
  return (
    <>
      <span className={table.under}>{t.waitsUntil(format.dateTime(until))}</span>
      {may ? (
        <AskLink onClick={open}>{t.askAge}</AskLink>
      ) : (
        <span className={table.under}>{t.whoAsksAge}</span>
      )}
      {opened && <AgeDialog tag={tag} until={until} onClose={close} />}
    </>
  );
}

/** A waiver of the age of one digest, which another account approves. */
function AgeDialog({ tag, until, onClose }: WaitProps & { onClose(): void }) {
  const [t, format] = useWords('mirror');
  const folder = folderOf(tag);
  const { upstream_digest: digest } = tag;
  return (
    <FormDialog
      title={t.ageTitle(`${tag.repository}:${tag.tag}`)}
      first={{ reason: '' }}
      operation="waivers.request"
      send={({ reason }) =>
        call('waivers.request', {
          body: {
            ...{ vulnerability: AGE, digest, folder, reason },
            ...{ status: 'accepted', expires_at: until },
          },
        })
      }
      lists={[keyOf('waivers.list')]}
      done={() => t.ageAsked}
      action={t.ageSubmit}
      isReady={({ reason }) => reason.trim() !== ''}
      onClose={onClose}
    >
      {({ text }) => (
        <>
          <Dimmed>{t.ageLead(format.dateTime(until))}</Dimmed>
          <Reviewers folder={folder} />
          <Textarea label={t.reason} {...text('reason')} autosize minRows={2} required />
        </>
      )}
    </FormDialog>
  );
}
