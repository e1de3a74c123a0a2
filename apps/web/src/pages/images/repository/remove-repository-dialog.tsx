/** Asks before all tags of a repository are deleted, and names those that stay. */
import { Alert, Modal, Stack, Text, TextInput } from '@mantine/core';
import type { RepositoryRemoval } from '@portcullis/contract';
import { useQuery } from '@tanstack/react-query';
import { useState } from 'react';
import { useNavigate } from 'react-router';
import { call, keyOf, page } from '../../../api/api.ts';
import { useMessages } from '../../../i18n/messages.ts';
import { FormActions } from '../../../kit/dialog/form-actions.tsx';
import { FaultAlert } from '../../../kit/fault/fault.tsx';
import classes from '../images.module.css';
import { listPath, type RepositoryLocation } from '../repository-location.ts';
import { useImageChange } from '../use-image-change.ts';

interface RemoveRepositoryDialogProps {
  place: RepositoryLocation;
  opened: boolean;
  onClose(): void;
}

export function RemoveRepositoryDialog({ place, opened, onClose }: RemoveRepositoryDialogProps) {
  const t = useMessages('images');
  return (
    <Modal opened={opened} onClose={onClose} title={t.removeRepositoryTitle}>
      <RemovalForm place={place} onClose={onClose} />
    </Modal>
  );
}

function useTagCount({ registryId, repository }: RepositoryLocation): number | null {
  const request = { params: { registry_id: registryId }, query: { repository, limit: 1 } };
  const tags = useQuery({
    queryKey: keyOf('images.listImageTags', request),
    queryFn: () => page('images.listImageTags', request),
  });
  return tags.data?.total ?? null;
}

function RemovalForm({ place, onClose }: Omit<RemoveRepositoryDialogProps, 'opened'>) {
  const t = useMessages('images');
  const navigate = useNavigate();
  const [typed, setTyped] = useState('');
  const count = useTagCount(place);
  const { registryId, repository } = place;
  const remove = useImageChange<void, RepositoryRemoval>({
    run: () =>
      call('images.removeRepository', {
        params: { registry_id: registryId },
        query: { repository },
      }),
    done: ({ failed }) => (failed.length === 0 ? t.repositoryRemoved(repository) : null),
    after: ({ failed }) => failed.length === 0 && void navigate(listPath(registryId)),
  });
  return (
    <form
      onSubmit={(event) => {
        event.preventDefault();
        if (typed === repository) remove.mutate();
      }}
    >
      <Stack>
        <Text>{t.removeRepositoryText(count === null ? repository : t.tagCount(count))}</Text>
        <TextInput
          label={<code className={classes.code}>{repository}</code>}
          value={typed}
          onChange={(event) => setTyped(event.currentTarget.value)}
          autoComplete="off"
          spellCheck={false}
          autoCapitalize="none"
          data-autofocus
        />
        <Failures removal={remove.data} />
        <FaultAlert error={remove.error} />
        <FormActions
          action={t.removeRepositoryAction}
          danger
          pending={remove.isPending}
          disabled={typed !== repository}
          onCancel={onClose}
        />
      </Stack>
    </form>
  );
}

function Failures({ removal }: { removal: RepositoryRemoval | undefined }) {
  const t = useMessages('images');
  const { codes } = useMessages('fault');
  if (!removal || removal.failed.length === 0) return null;
  return (
    <Alert color="red" variant="light" title={t.partlyRemoved} role="alert">
      <ul className={classes.lines}>
        {removal.failed.map(({ tag, code, reason }) => (
          <li key={tag}>
            <code className={classes.code}>{tag}</code> {codes[code] ?? reason}
          </li>
        ))}
      </ul>
    </Alert>
  );
}
