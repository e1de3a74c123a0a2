import { Select } from '@mantine/core';
import { IconServer2 } from '@tabler/icons-react';
import { useMessages } from '../../i18n/messages.ts';
import { useRegistries } from './use-registries.ts';

interface RegistrySelectProps {
  value: string;
  onChange(registryId: string): void;
}

export function RegistrySelect({ value, onChange }: RegistrySelectProps) {
  const t = useMessages('images');
  const registries = useRegistries();
  const choices = (registries.data ?? []).map(({ id, name, host, system }) => ({
    value: id,
    label: system ? t.builtIn : `${name} (${host})`,
  }));
  return (
    <Select
      aria-label={t.registry}
      data={choices}
      value={value}
      onChange={(chosen) => chosen !== null && onChange(chosen)}
      leftSection={<IconServer2 size={16} aria-hidden="true" />}
      searchable={choices.length > 6}
      allowDeselect={false}
      w={{ base: '100%', xs: 300 }}
    />
  );
}
