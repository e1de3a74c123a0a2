import { Group, Text, Title } from '@mantine/core';

export function SectionTitle({ children, hint }: { children: string; hint?: string }) {
  return (
    <Group gap="xs" align="baseline" mb={8}>
      <Title order={3}>{children}</Title>
      {hint !== undefined && (
        <Text size="sm" c="dimmed">
          {hint}
        </Text>
      )}
    </Group>
  );
}
