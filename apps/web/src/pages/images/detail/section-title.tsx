import { Group, Title } from '@mantine/core';
import { Dimmed } from '../../../kit/text/dimmed.tsx';

export function SectionTitle({ children, hint }: { children: string; hint?: string }) {
  return (
    <Group gap="xs" align="baseline" mb={8}>
      <Title order={3}>{children}</Title>
      {hint !== undefined && <Dimmed>{hint}</Dimmed>}
    </Group>
  );
}
