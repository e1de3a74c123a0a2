import { Button } from '@mantine/core';
import { IconMap2 } from '@tabler/icons-react';
import { Link } from 'react-router';
import { EmptyState } from '../kit/layout/empty-state.tsx';
import { useFaultWords } from '../words/fault-words.ts';

export function Component() {
  const t = useFaultWords();
  return (
    <EmptyState icon={IconMap2} title={t.missing} text={t.notFound} page>
      <Button component={Link} to="/">
        {t.home}
      </Button>
    </EmptyState>
  );
}
