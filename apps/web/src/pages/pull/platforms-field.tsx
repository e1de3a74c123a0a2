import { TagsInput } from '@mantine/core';
import { useMessages } from '../../i18n/messages.ts';
import { useTagSuggestions } from './offers.ts';
import type { PullFieldProps } from './pull-form.ts';

const COMMON = ['linux/amd64', 'linux/arm64', 'linux/arm/v7', 'linux/s390x', 'linux/ppc64le'];

export function PlatformsField({ form, set, faults }: PullFieldProps) {
  const t = useMessages('pull');
  const offered =
    useTagSuggestions(form, false).offer?.tags.find(({ name }) => name === form.tag)?.platforms ??
    [];
  const fault = Object.entries(faults).find(([path]) => path.startsWith('platforms'))?.[1];
  return (
    <TagsInput
      label={t.platforms}
      description={t.platformsHint}
      inputWrapperOrder={['label', 'input', 'description', 'error']}
      placeholder={form.platforms.length === 0 ? t.allPlatforms : ''}
      data={offered.length > 0 ? offered : COMMON}
      value={form.platforms}
      onChange={(platforms) => set({ platforms })}
      error={fault}
      clearable
    />
  );
}
