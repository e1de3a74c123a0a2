import { Group, Text, Title } from '@mantine/core';

export function SectionTitle({ children, note }: { children: string; note?: string }) {
  return (
    <Group gap="xs" align="baseline" mb={8}>
      <Title order={3}>{children}</Title>
      {note !== undefined && (
        <Text size="sm" c="dimmed">
          {note}
        </Text>
      )}
    </Group>
  );
}
