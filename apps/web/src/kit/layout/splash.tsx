import { Center, Loader } from '@mantine/core';

export function Splash() {
  return (
    <Center mih="60vh">
      <Loader size="sm" color="gray" aria-label="…" />
    </Center>
  );
}
