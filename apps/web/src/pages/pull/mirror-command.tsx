/** The command that needs no staging by hand: a mirror brings the image in at its pull. */
import { Anchor, Paper, Text } from '@mantine/core';
import { Link } from 'react-router';
import { useAnswer } from '../../api/api.ts';
import { useMessages } from '../../i18n/messages.ts';
import { CopyableText } from '../../kit/text/copyable-text.tsx';
import { mirrorPath } from '../folders/mirror/mirror-path.ts';
import { useRegistries } from '../images/use-registries.ts';
import { mirrorOffer } from './mirror-offer.ts';
import type { PullForm } from './pull-form.ts';

export function MirrorCommand({ form }: { form: PullForm }) {
  const t = useMessages('pull');
  const { copyCommand } = useMessages('mirror');
  const mirrors = useAnswer('folders.listMirrors').data ?? [];
  const registries = useRegistries().data ?? [];
  const saved = registries.find(({ id }) => id === form.registryId)?.host ?? null;
  const offer = mirrorOffer(form, mirrors, saved);
  if (offer === null) return null;
  const { folder, image } = offer;
  return (
    <Paper withBorder p="lg" radius="md" component="section" aria-label={t.mirrorTitle}>
      <Text fw={580}>{t.mirrorTitle}</Text>
      <Text size="sm" c="dimmed" mb="xs">
        {t.mirrorText}{' '}
        <Anchor component={Link} to={mirrorPath(folder)} underline="always">
          {folder}
        </Anchor>
      </Text>
      <CopyableText text={`docker pull ${window.location.host}/${image}`} label={copyCommand} />
    </Paper>
  );
}
