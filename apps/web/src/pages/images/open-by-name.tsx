import { Button, Group, Text, TextInput } from '@mantine/core';
import { useState } from 'react';
import { useNavigate } from 'react-router';
import { useMessages } from '../../i18n/messages.ts';
import { repositoryPath } from './repository-location.ts';

/** Many registries have no catalog; a repository can still be opened by its name. */
export function OpenByName({ registryId }: { registryId: string }) {
  const t = useMessages('images');
  const navigate = useNavigate();
  const [name, setName] = useState('');
  const repository = name.trim().replaceAll(/^\/+|\/+$/g, '');
  return (
    <form
      onSubmit={(event) => {
        event.preventDefault();
        if (repository !== '') void navigate(repositoryPath({ registryId, repository }));
      }}
    >
      <Text mb="sm">{t.catalogClosed}</Text>
      <Group gap="xs" align="flex-end" maw={460} wrap="nowrap">
        <TextInput
          flex={1}
          label={t.repository}
          placeholder="team/app"
          value={name}
          onChange={(event) => setName(event.currentTarget.value)}
          spellCheck={false}
          autoCapitalize="none"
        />
        <Button type="submit" variant="default" disabled={repository === ''}>
          {t.openByName}
        </Button>
      </Group>
    </form>
  );
}
