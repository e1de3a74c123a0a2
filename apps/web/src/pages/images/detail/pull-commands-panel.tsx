import { Group, Switch } from '@mantine/core';
import type { ImageDetail } from '@portcullis/contract';
import { useState } from 'react';
import { useMessages } from '../../../i18n/messages.ts';
import type { RepositoryLocation } from '../repository-location.ts';
import { hostOf, useRegistries } from '../use-registries.ts';
import { CommandList } from './command-list.tsx';
import { kindOf, pullCommands } from './pull-commands.ts';
import { SectionTitle } from './section-title.tsx';

export function PullCommands({ place, image }: { place: RepositoryLocation; image: ImageDetail }) {
  const t = useMessages('images');
  const [byDigest, setByDigest] = useState(false);
  const registries = useRegistries().data ?? [];
  const { tag, digest, layers } = image;
  const target = {
    ...hostOf(place.registryId, registries),
    repository: place.repository,
    tag,
    digest,
  };
  return (
    <section>
      <Group justify="space-between" align="flex-start">
        <SectionTitle>{t.pull}</SectionTitle>
        <Switch
          size="xs"
          label={t.byDigest}
          checked={byDigest}
          onChange={(event) => setByDigest(event.currentTarget.checked)}
        />
      </Group>
      <CommandList commands={pullCommands(kindOf(layers), target, byDigest)} />
    </section>
  );
}
