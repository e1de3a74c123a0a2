/** What changed from one image to another: packages, vulnerabilities, layers, configuration. */
import { Stack, Title } from '@mantine/core';
import type { ImageComparison } from '@portcullis/contract';
import { LOCAL_REGISTRY_ID } from '@portcullis/domain';
import { IconEqual, IconGitCompare } from '@tabler/icons-react';
import { useParams } from 'react-router';
import { useAnswer } from '../../../api/api.ts';
import { useMessages, useWords } from '../../../i18n/messages.ts';
import { EmptyState } from '../../../kit/layout/empty-state.tsx';
import { Breadcrumbs, PageHead } from '../../../kit/layout/page-head.tsx';
import { Panel } from '../../../kit/layout/panel.tsx';
import { QueryView } from '../../../kit/layout/query-view.tsx';
import { Dimmed } from '../../../kit/text/dimmed.tsx';
import { useUrlState } from '../../../kit/use-url-state.ts';
import { readableStep } from '../detail/build-step.ts';
import images from '../images.module.css';
import { listPath, repositoryPath } from '../repository-location.ts';
import { type ImagePair, nameOfImage, readPair, writePair } from './compare-location.ts';
import { ConfigurationChanges } from './configuration-changes.tsx';
import { FindingChanges } from './finding-changes.tsx';
import { PackageChanges } from './package-changes.tsx';
import { PairPicker } from './pair-picker.tsx';

const URL_STATE = {
  read: readPair,
  write: (pair: ImagePair, change: Partial<ImagePair>) => writePair({ ...pair, ...change }),
  remembers: () => true,
};

export function Component() {
  const { registryId = LOCAL_REGISTRY_ID } = useParams();
  const t = useMessages('comparison');
  const { title: images } = useMessages('images');
  const [pair, setPair] = useUrlState(URL_STATE);
  const { repository } = pair;
  const comparison = useComparison(registryId, pair);
  const above =
    repository === '' ? [] : [{ name: repository, to: repositoryPath({ registryId, repository }) }];
  return (
    <>
      <Breadcrumbs
        label={images}
        parents={[{ name: images, to: listPath(registryId) }, ...above]}
      />
      <PageHead title={t.title} />
      <Stack gap="md">
        <PairPicker
          registryId={registryId}
          pair={pair}
          comparison={comparison.data}
          loading={comparison.isLoading}
          onChange={setPair}
        />
        {isComplete(pair) ? (
          <QueryView query={comparison} rows={4} rowHeight={120}>
            {(data) => <Differences registryId={registryId} comparison={data} />}
          </QueryView>
        ) : (
          <EmptyState icon={IconGitCompare} title={t.chooseTitle} text={t.chooseText} />
        )}
      </Stack>
    </>
  );
}

function isComplete({ from, to }: ImagePair): boolean {
  return from !== '' && to !== '';
}

function useComparison(registryId: string, pair: ImagePair) {
  const { repository, from, toRepository, to, platform } = pair;
  return useAnswer(
    'images.compareImages',
    {
      params: { registry_id: registryId },
      query: {
        repository,
        from,
        to,
        ...(toRepository !== repository && { to_repository: toRepository }),
        ...(platform !== '' && { platform }),
      },
    },
    { enabled: isComplete(pair) },
  );
}

function Differences({
  registryId,
  comparison,
}: {
  registryId: string;
  comparison: ImageComparison;
}) {
  const t = useMessages('comparison');
  if (comparison.from.manifest === comparison.to.manifest)
    return <EmptyState icon={IconEqual} title={t.sameTitle} text={t.sameText} />;
  return (
    <>
      <FindingChanges comparison={comparison} isLocal={registryId === LOCAL_REGISTRY_ID} />
      <PackageChanges comparison={comparison} />
      <LayerChanges comparison={comparison} />
      <ConfigurationChanges comparison={comparison} />
    </>
  );
}

type Layer = ImageComparison['layers']['shared'][number];

/** Layers of one image alone, and those that both share. */
function LayerChanges({ comparison }: { comparison: ImageComparison }) {
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
