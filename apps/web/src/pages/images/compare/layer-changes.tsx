/** Layers of one image alone, and those that both share. */
import { Stack, Title } from '@mantine/core';
import type { ImageComparison } from '@portcullis/contract';
import { useMessages, useWords } from '../../../i18n/messages.ts';
import { Panel } from '../../../kit/layout/panel.tsx';
import { Dimmed } from '../../../kit/text/dimmed.tsx';
import { readableStep } from '../detail/build-step.ts';
import images from '../images.module.css';
import { nameOfImage } from './compare-location.ts';

type Layer = ImageComparison['layers']['shared'][number];

export function LayerChanges({ comparison }: { comparison: ImageComparison }) {
  const t = useMessages('comparison');
  const { layers, from, to } = comparison;
  return (
    <Panel title={t.layers}>
      <Stack gap="md">
        <Group
          title={t.onlyIn(nameOfImage(from.repository, from.reference))}
          layers={layers.from}
        />
        <Group title={t.onlyIn(nameOfImage(to.repository, to.reference))} layers={layers.to} />
        <Group title={t.shared} layers={layers.shared} />
      </Stack>
    </Panel>
  );
}

function Group({ title, layers }: { title: string; layers: Layer[] }) {
  const [t, format] = useWords('comparison');
  const sum = layers.reduce((total, { size }) => total + size, 0);
  return (
    <section>
      <Title order={3} fz="sm">
        {title}
      </Title>
      <Dimmed mb={6}>
        {layers.length === 0 ? t.noLayers : t.layerSum(layers.length, format.bytes(sum))}
      </Dimmed>
      {layers.length > 0 && (
        <ol className={images.layers}>
          {layers.map(({ digest, size, created_by: step }) => (
            <li key={digest} className={images.layer}>
              <span className={images.layerSize}>{format.bytes(size)}</span>
              <code className={images.layerBy} title={step ?? digest}>
                {step === null ? digest : readableStep(step)}
              </code>
            </li>
          ))}
        </ol>
      )}
    </section>
  );
}
