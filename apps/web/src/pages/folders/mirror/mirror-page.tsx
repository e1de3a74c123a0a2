/** One mirror: its tags by urgency, and the files of its clients. */
import { Button, Skeleton } from '@mantine/core';
import type { MirrorView } from '@portcullis/contract';
import { IconFolderX } from '@tabler/icons-react';
import { Link, useParams } from 'react-router';
import { useAnswer } from '../../../api/api.ts';
import { isProblem } from '../../../api/problem-error.ts';
import { useMessages, useWords } from '../../../i18n/messages.ts';
import { FaultView } from '../../../kit/fault/fault.tsx';
import { EmptyState } from '../../../kit/layout/empty-state.tsx';
import { Breadcrumbs, PageHead } from '../../../kit/layout/page-head.tsx';
import { FactList, Panel } from '../../../kit/layout/panel.tsx';
import { useAccount } from '../../../session/account.ts';
import { ClientFiles } from './client-files.tsx';
import classes from './mirror.module.css';
import { MirrorAttempts } from './mirror-attempts.tsx';
import { EditMirror } from './mirror-panel.tsx';
import { MirrorTags } from './mirror-tags.tsx';
import { useMirrorWords } from './mirror-words.ts';

const REFRESH_MS = 30_000;
const HEIGHT = 420;

export function Component() {
  const t = useMessages('mirror');
  const { title } = useMessages('folder');
  const { folder = '' } = useParams();
  const answer = useAnswer(
    'folders.getMirror',
    { params: { folder_id: folder } },
    { refetchInterval: REFRESH_MS },
  );
  if (answer.data?.mirror === null || isProblem(answer.error, 'FOLDER_UNKNOWN'))
    return <NoMirror folder={folder} isKnown={answer.data !== undefined} />;
  return (
    <>
      <Breadcrumbs
        label={title}
        parents={[
          { name: title, to: '/folders' },
          { name: folder, to: `/folders/${folder}` },
        ]}
      />
      {answer.data?.mirror ? (
        <Found mirror={answer.data.mirror} />
      ) : answer.isError ? (
        <FaultView error={answer.error} retry={() => void answer.refetch()} />
      ) : (
        <div aria-busy="true">
          <PageHead title={t.pageTitle(folder)} />
          <Skeleton height={HEIGHT} />
        </div>
      )}
    </>
  );
}

function Found({ mirror }: { mirror: MirrorView }) {
  const t = useMessages('mirror');
  const { is_admin: isAdmin } = useAccount();
  const { upstream, login, rights } = useMirrorWords()(mirror);
  return (
    <>
      <PageHead title={t.pageTitle(mirror.folder)} description={`${upstream} ${login} ${rights}`}>
        {isAdmin && <EditMirror folder={mirror.folder} mirror={mirror} />}
      </PageHead>
      <div className={classes.columns}>
        <div className={classes.side}>
          <MirrorTags mirror={mirror} />
          <MirrorAttempts mirror={mirror} />
        </div>
        <div className={classes.side}>
          <ClientFiles folder={mirror.folder} />
          <Settings mirror={mirror} />
        </div>
      </div>
    </>
  );
}

function Settings({ mirror }: { mirror: MirrorView }) {
  const [t, format] = useWords('mirror');
  const { allow, platforms, check_minutes: minutes, keep_days: days } = mirror;
  return (
    <Panel title={t.settings}>
      <FactList
        facts={[
          [t.week, format.number(mirror.passed_this_week)],
          [t.allow, allow.join(' ')],
          [t.platforms, platforms.length === 0 ? t.allPlatforms : platforms.join(' ')],
          [t.checkMinutes, format.number(minutes)],
          [t.keepDays, format.number(days)],
        ]}
      />
    </Panel>
  );
}

function NoMirror({ folder, isKnown }: { folder: string; isKnown: boolean }) {
  const t = useMessages('mirror');
  const words = useMessages('folder');
  return (
    <EmptyState
      page
      icon={IconFolderX}
      title={isKnown ? t.noMirror : words.unknownTitle}
      text={isKnown ? t.none : words.unknownText}
    >
      <Button component={Link} to={isKnown ? `/folders/${folder}` : '/folders'} variant="default">
        {isKnown ? t.toFolder : words.toList}
      </Button>
    </EmptyState>
  );
}
