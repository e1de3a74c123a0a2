/** The packages of an image with their licences, each with the layer that brought it. */
import { Pill, Stack } from '@mantine/core';
import { useDebouncedValue } from '@mantine/hooks';
import type { ImageDetail } from '@portcullis/contract';
import type { PackageOrder } from '@portcullis/domain';
import { IconPackageOff } from '@tabler/icons-react';
import { useMemo } from 'react';
import { keyOf, page } from '../../../api/api.ts';
import { useListPages } from '../../../api/list-pages.ts';
import { isProblem } from '../../../api/problem-error.ts';
import { useWords } from '../../../i18n/messages.ts';
import { FaultView } from '../../../kit/fault/fault.tsx';
import { SearchField } from '../../../kit/form/search-field.tsx';
import { EmptyState } from '../../../kit/layout/empty-state.tsx';
import { ListSkeleton } from '../../../kit/layout/query-view.tsx';
import { MoreButton } from '../../../kit/table/more-button.tsx';
import { Dimmed } from '../../../kit/text/dimmed.tsx';
import classes from '../images.module.css';
import type { RepositoryLocation } from '../repository-location.ts';
import { PackageTable } from './package-table.tsx';
import { usePackageView } from './shown-part.ts';

interface ImagePackagesProps {
  place: RepositoryLocation;
  image: ImageDetail;
  /** Null: the api chooses. */
  platform: string | null;
  /** Digest of the only layer whose packages are listed; null for all layers. */
  layer: string | null;
  onAllLayers(): void;
}

export function ImagePackages(props: ImagePackagesProps) {
  const { place, image, platform, layer, onAllLayers } = props;
  const [t, format] = useWords('imagePackages');
  const { words, sort, search, order } = usePackageView();
  const [q] = useDebouncedValue(words.trim(), 250);
  const packages = usePackages(place, { tag: image.digest, platform, q, layer, sort });
  const { data } = packages;
  const listed = useMemo(() => (data?.pages ?? []).flatMap(({ items }) => items), [data]);
  if (packages.isError && !packages.data)
    return isProblem(packages.error, 'REPORT_UNKNOWN') ? (
      <EmptyState icon={IconPackageOff} title={t.missingTitle} text={t.missingText} />
    ) : (
      <FaultView error={packages.error} retry={() => void packages.refetch()} />
    );
  if (!packages.data) return <ListSkeleton rows={8} />;
  const total = packages.data.pages[0]?.total ?? listed.length;
  if (total === 0 && q === '' && words === '' && layer === null)
    return <EmptyState icon={IconPackageOff} title={t.noneTitle} text={t.noneText} />;
  return (
    <Stack gap="sm">
      <SearchField label={t.search} value={words} onChange={search} />
      {layer !== null && (
        <Pill
          w="fit-content"
          withRemoveButton
          onRemove={onAllLayers}
          removeButtonProps={{ 'aria-label': t.allLayers, 'aria-hidden': false, tabIndex: 0 }}
        >
          {t.layerNumber(format.number(numberOf(image, layer)))}
        </Pill>
      )}
      <Dimmed aria-live="polite">{total === 0 ? t.noMatch : t.count(total)}</Dimmed>
      {listed.length > 0 && (
        <div data-stale={packages.isPlaceholderData || undefined} className={classes.list}>
          <PackageTable
            packages={listed}
            layers={image.layers}
            sorting={{ order: sort, onChange: order }}
          />
        </div>
      )}
      <MoreButton pages={packages}>{t.more}</MoreButton>
    </Stack>
  );
}

/** As in the list of layers, from 1. */
function numberOf({ layers }: ImageDetail, layer: string): number {
  return layers.findIndex(({ digest }) => digest === layer) + 1;
}

interface Wanted {
  tag: string;
  platform: string | null;
  q: string;
  layer: string | null;
  sort: PackageOrder;
}

function usePackages({ registryId, repository }: RepositoryLocation, wanted: Wanted) {
  const { tag, platform, q, layer, sort } = wanted;
  const request = {
    params: { registry_id: registryId },
    query: {
      repository,
      tag,
      q,
      sort,
      limit: 100,
      ...(platform !== null && { platform }),
      ...(layer !== null && { layer }),
    },
  };
  return useListPages({
    queryKey: keyOf('images.listImagePackages', request),
    queryFn: ({ pageParam }) =>
      page('images.listImagePackages', {
        ...request,
        query: { ...request.query, cursor: pageParam },
      }),
    retry: (count, error) => count < 2 && !isProblem(error, 'REPORT_UNKNOWN'),
  });
}
