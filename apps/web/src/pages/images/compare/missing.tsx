/** Says which of the compared images lack what a part of the comparison needs. */
import { Stack, Text } from '@mantine/core';
import type { ComparedImage } from '@portcullis/contract';
import { useMessages } from '../../../i18n/messages.ts';
import images from '../images.module.css';
import { nameOfImage } from './compare-location.ts';

export function Missing({ text, images: lacking }: { text: string; images: ComparedImage[] }) {
  const t = useMessages('comparison');
  return (
    <>
      <Text c="dimmed" mb={6}>
        {text}
      </Text>
      <Stack component="ul" gap={3}>
        {lacking.map(({ repository, reference, manifest, packages }) => (
          <li key={manifest} className={images.code}>
            {nameOfImage(repository, reference)}
            {packages === 'too_large' && ` (${t.tooLarge})`}
          </li>
        ))}
      </Stack>
    </>
  );
}
