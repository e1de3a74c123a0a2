import { Group, Switch } from '@mantine/core';
import type { ImageDetail } from '@portcullis/contract';
import { useState } from 'react';
import { useMessages } from '../../../i18n/messages.ts';
import { CopyButton } from '../../../kit/action/copy-button.tsx';
import classes from '../images.module.css';
import type { RepositoryLocation } from '../repository-location.ts';
import { hostOf, useRegistries } from '../use-registries.ts';
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
      <div className={classes.commands}>
        {pullCommands(kindOf(layers), target, byDigest).map(({ tool, command }) => (
          <div key={tool} className={classes.command}>
            <span className={classes.tool}>{tool}</span>
            {/* biome-ignore lint/a11y/noNoninteractiveTabindex: it scrolls, and keys must be able to scroll it */}
            <code tabIndex={0}>{command}</code>
            <CopyButton text={command} />
          </div>
        ))}
      </div>
    </section>
  );
}
