import { Button } from '@mantine/core';
import { IconMap2 } from '@tabler/icons-react';
import { Link } from 'react-router';
import { useMessages } from '../i18n/messages.ts';
import { EmptyState } from '../kit/layout/empty-state.tsx';

export function Component() {
  const t = useMessages('fault');
  return (
    <EmptyState icon={IconMap2} title={t.missing} text={t.notFound} page>
      <Button component={Link} to="/">
        {t.home}
      </Button>
    </EmptyState>
  );
}
