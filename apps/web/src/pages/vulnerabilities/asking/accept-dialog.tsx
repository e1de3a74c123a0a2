/** Accounts that review accept one vulnerability for a folder, a repository, or everywhere. */
import { Text } from '@mantine/core';
import { ROOT_FOLDER } from '@portcullis/domain';
import { useState } from 'react';
import { call, keyOf, useAnswer } from '../../../api/api.ts';
import { useMessages } from '../../../i18n/messages.ts';
import { FormDialog } from '../../../kit/dialog/form-dialog.tsx';
import { Reviewers } from '../../../session/contacts.tsx';
import { ReviewFields } from '../../job/review/review-fields.tsx';
import { emptyReview, isReviewComplete, waiverBody } from '../../job/review/review-form.ts';

interface AcceptDialogProps {
  id: string;
  /** Where it blocks images, the most images first: the first one is proposed. Empty: all. */
  folders: readonly string[];
  onClose(): void;
}

const SCOPES = ['folder', 'repository'] as const;

export default function AcceptDialog({ id, folders, onClose }: AcceptDialogProps) {
  const t = useMessages('asking');
  const words = useMessages('review');
  const { data: askable = [] } = useAnswer('folders.listAskable');
  const [first] = useState(() => ({
    ...emptyReview([id], Date.now()),
    scope: SCOPES[0],
    folder: folders[0] ?? '',
  }));
  const names = [...new Set([...folders, ...askable])].filter(
    (name) => name !== ROOT_FOLDER && name !== '',
  );
  return (
    <FormDialog
      title={t.acceptTitle(id)}
      size="lg"
      first={first}
      operation="waivers.request"
      send={(form) =>
        call('waivers.request', {
          body: {
            ...waiverBody(form, { digest: null, folder: form.folder }),
            ...{ vulnerability: id, package: null },
          },
        })
      }
      lists={[keyOf('waivers.list'), keyOf('vulnerabilities.getVulnerability', { params: { id } })]}
      done={() => words.done(1)}
      action={t.accept}
      isReady={(form) => isReviewComplete(form, form.folder)}
      onClose={onClose}
    >
      {(fields) => (
        <>
          <Text size="sm">{t.acceptLead}</Text>
          <Reviewers folder={fields.value.folder || undefined} />
          <ReviewFields
            {...fields}
            scopes={SCOPES}
            folder={fields.value.folder}
            folders={[
              ...names.map((name) => ({ value: name, label: name })),
              { value: '', label: words.allFolders },
            ]}
          />
        </>
      )}
    </FormDialog>
  );
}
