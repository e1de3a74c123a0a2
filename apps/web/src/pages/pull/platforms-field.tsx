/** Which platforms of an image are copied; none chosen means all. */
import { TagsInput, type TagsInputProps } from '@mantine/core';
import { useMessages } from '../../i18n/messages.ts';

const COMMON = ['linux/amd64', 'linux/arm64', 'linux/arm/v7', 'linux/s390x', 'linux/ppc64le'];

interface PlatformsFieldProps extends TagsInputProps {
  value: string[];
  /** Of the image, where they are known. */
  offered?: readonly string[];
}

export function PlatformsField({ offered = [], ...field }: PlatformsFieldProps) {
  const t = useMessages('pull');
  return (
    <TagsInput
      label={t.platforms}
      placeholder={field.value.length === 0 ? t.allPlatforms : ''}
      data={offered.length > 0 ? [...offered] : COMMON}
      {...field}
      clearable
    />
  );
}
