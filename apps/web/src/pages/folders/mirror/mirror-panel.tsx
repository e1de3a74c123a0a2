/** The mirror of a folder: its upstream, and how its tags stand; loaded apart from the page. */
import { Anchor, Button, Text } from '@mantine/core';
import type { FolderMirror, MirrorView } from '@portcullis/contract';
import { MIRROR_TAG_STATES } from '@portcullis/domain/mirror';
import { useState } from 'react';
import { Link } from 'react-router';
import { useAnswer } from '../../../api/api.ts';
import { useMessages, useWords } from '../../../i18n/messages.ts';
import { FaultView } from '../../../kit/fault/fault.tsx';
import { FactList, Panel } from '../../../kit/layout/panel.tsx';
import { Dimmed } from '../../../kit/text/dimmed.tsx';
import { useAccount } from '../../../session/account.ts';
import { MirrorDialog } from './mirror-dialog.tsx';
import { mirrorPath } from './mirror-path.ts';
import { MirrorSkeleton } from './mirror-skeleton.tsx';
import { useMirrorWords } from './mirror-words.ts';

const REFRESH_MS = 30_000;

export default function MirrorPanel({ folder }: { folder: string }) {
  const answer = useAnswer(
    'folders.getMirror',
    { params: { folder_id: folder } },
    { refetchInterval: REFRESH_MS },
  );
  if (answer.data) return <Shown folder={folder} mirror={answer.data.mirror} />;
  if (!answer.isError) return <MirrorSkeleton isMirror />;
  return <FaultView error={answer.error} retry={() => void answer.refetch()} />;
}

function Shown({ folder, mirror }: { folder: string; mirror: MirrorView | null }) {
  const t = useMessages('mirror');
  const { is_admin: isAdmin } = useAccount();
  if (mirror === null && !isAdmin) return null;
  return (
    <Panel title={t.title} actions={isAdmin && <EditMirror folder={folder} mirror={mirror} />}>
      {mirror ? <Known mirror={mirror} /> : <Text c="dimmed">{t.none}</Text>}
    </Panel>
  );
}

function Known({ mirror }: { mirror: MirrorView }) {
  const t = useMessages('mirror');
  const words = useMirrorWords()(mirror);
  return (
    <>
      <Text>{words.upstream}</Text>
      <Dimmed>{words.login}</Dimmed>
      <Dimmed mb="xs">{words.rights}</Dimmed>
      <Figures mirror={mirror} />
      <Anchor
        component={Link}
        to={mirrorPath(mirror.folder)}
        size="sm"
        mt="sm"
        display="inline-block"
      >
        {t.open}
      </Anchor>
    </>
  );
}

function Figures({ mirror }: { mirror: MirrorView }) {
  const { folder, tags, passed_this_week: week, attempts } = mirror;
  const [t, format] = useWords('mirror');
  const shown = MIRROR_TAG_STATES.filter((state) => state !== 'current' && tags[state] > 0);
  return (
    <FactList
      facts={[
        [t.week, format.number(week)],
        ...shown.map(
          (state) =>
            [
              t.states[state],
              <Anchor
                key={state}
                component={Link}
                to={mirrorPath(folder, state)}
                underline="always"
              >
                {format.number(tags[state])}
              </Anchor>,
            ] as const,
        ),
        ...(attempts.length === 0
          ? []
          : [
              [
                t.attempts,
                <Anchor key="attempts" component={Link} to={mirrorPath(folder)} underline="always">
                  {format.number(attempts.length)}
                </Anchor>,
              ] as const,
            ]),
      ]}
    />
  );
}

/** Opens the form of a mirror; for administrators. */
export function EditMirror({ folder, mirror }: { folder: string; mirror: FolderMirror | null }) {
  const t = useMessages('mirror');
  const [isOpen, setOpen] = useState(false);
  return (
    <>
      <Button variant="default" size="xs" onClick={() => setOpen(true)}>
        {mirror ? t.change : t.setUp}
      </Button>
      {isOpen && <MirrorDialog folder={folder} mirror={mirror} onClose={() => setOpen(false)} />}
    </>
  );
}
