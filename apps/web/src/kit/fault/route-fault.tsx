/** The views in place of a page that throws, or whose script or style could not be loaded. */
import { Button } from '@mantine/core';
import { IconAlertTriangle, IconRefresh } from '@tabler/icons-react';
import { useEffect, useState } from 'react';
import { useRouteError } from 'react-router';
import { useMessages } from '../../i18n/messages.ts';
import { EmptyState } from '../layout/empty-state.tsx';
import { isChunkError } from './chunk-errors.ts';
import { FaultView } from './fault.tsx';

const ASK_MS = 3_000;

const reload = () => window.location.reload();

export function RouteFault() {
  const error = useRouteError();
  return isChunkError(error) ? <ChunkFault /> : <FaultView error={error} retry={reload} page />;
}

/** Without a connection it loads the page as soon as there is one; else the server was upgraded. */
function ChunkFault() {
  const t = useMessages('fault');
  const isConnected = useConnection(reload);
  if (isConnected)
    return (
      <EmptyState icon={IconRefresh} title={t.upgraded} text={t.upgradedHelp} page>
        <Button onClick={reload}>{t.reload}</Button>
      </EmptyState>
    );
  return <EmptyState icon={IconAlertTriangle} title={t.offline} text={t.offlineHelp} page />;
}

/**
 * Whether the server answers; null until that is known. Calls `whenBack` once it answers after it
 * did not.
 */
function useConnection(whenBack: () => void): boolean | null {
  const [isConnected, setConnected] = useState<boolean | null>(null);
  useEffect(() => {
    if (isConnected) return;
    const leaving = new AbortController();
    const look = async () => {
      const answers = await serverAnswers(leaving.signal);
      if (leaving.signal.aborted) return;
      if (answers && isConnected === false) whenBack();
      else setConnected(answers);
    };
    const timer = setInterval(look, ASK_MS);
    window.addEventListener('online', look, { signal: leaving.signal });
    if (isConnected === null) void look();
    return () => {
      leaving.abort();
      clearInterval(timer);
    };
  }, [isConnected, whenBack]);
  return isConnected;
}

function serverAnswers(signal: AbortSignal): Promise<boolean> {
  return fetch('/', { method: 'HEAD', cache: 'no-store', signal }).then(
    ({ status }) => status < 500,
    () => false,
  );
}
