import { Button } from '@mantine/core';
import { IconRefresh } from '@tabler/icons-react';
import { useRouteError } from 'react-router';
import { useMessages } from '../../i18n/messages.ts';
import { EmptyState } from '../layout/empty-state.tsx';
import { FaultView } from './fault.tsx';

const reload = () => window.location.reload();

/** Shown when a page throws, or when its chunk was removed by an upgrade. */
export function RouteFault() {
  const error = useRouteError();
  const t = useMessages('fault');
  if (!isChunkGone(error)) return <FaultView error={error} retry={reload} page />;
  return (
    <EmptyState icon={IconRefresh} title={t.title} text={t.upgraded} page>
      <Button onClick={reload}>{t.reload}</Button>
    </EmptyState>
  );
}

function isChunkGone(error: unknown): boolean {
  return (
    error instanceof TypeError && /dynamically imported module|module script/i.test(error.message)
  );
}
