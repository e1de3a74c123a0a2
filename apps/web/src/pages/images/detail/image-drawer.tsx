/** Shows an image beside the list of its repository's tags. */
import { Drawer, Group, Select, Skeleton, Stack, Tabs, Text } from '@mantine/core';
import type { ImageDetail } from '@portcullis/contract';
import { keepPreviousData } from '@tanstack/react-query';
import type { ReactNode } from 'react';
import { useAnswer } from '../../../api/api.ts';
import { useMessages, useWords } from '../../../i18n/messages.ts';
import { FaultView } from '../../../kit/fault/fault.tsx';
import { FactList } from '../../../kit/layout/panel.tsx';
import { Digest } from '../../../kit/text/digest.tsx';
import { RelativeTime } from '../../../kit/text/relative-time.tsx';
import classes from '../images.module.css';
import type { RepositoryLocation } from '../repository-location.ts';
import { Explanation, useImageStanding } from '../standing/explanation.tsx';
import { ScanButton } from '../standing/scan-button.tsx';
import { AbsentPlatforms } from './absent-platforms.tsx';
import { GateBypass } from './gate-bypass.tsx';
import { ImageConfig } from './image-config.tsx';
import { ImagePackages } from './image-packages.tsx';
import { ImageWaivers, useImageWaivers } from './image-waivers.tsx';
import { Layers } from './layers.tsx';
import { kindOf } from './pull-commands.ts';
import { PullCommands } from './pull-commands-panel.tsx';
import { Referrers } from './referrers.tsx';
import { RunningImages, useRunningImages } from './running-images.tsx';
import { ScanResult } from './scan-result.tsx';
import { useShownPart } from './shown-part.ts';
import { Statements } from './statements.tsx';

interface ImageDrawerProps {
  place: RepositoryLocation;
  /** Null: closed. */
  tag: string | null;
  onClose(): void;
}

export function ImageDrawer({ place, tag, onClose }: ImageDrawerProps) {
  const t = useMessages('images');
  return (
    <Drawer
      opened={tag !== null}
      onClose={onClose}
      position="right"
      size={680}
      title={`${place.repository}:${tag ?? ''}`}
      closeButtonProps={{ 'aria-label': t.close }}
      classNames={{ title: classes.drawerTitle ?? '', content: classes.drawer ?? '' }}
    >
      {tag !== null && <Image key={tag} place={place} tag={tag} />}
    </Drawer>
  );
}

function Image({ place, tag }: { place: RepositoryLocation; tag: string }) {
  const { platform } = useShownPart();
  const image = useAnswer(
    'images.getImage',
    {
      params: { registry_id: place.registryId },
      query: { repository: place.repository, tag, ...(platform !== null && { platform }) },
    },
    { placeholderData: keepPreviousData },
  );
  // Shown at once: what comes later would move the rest.
  const standing = useImageStanding(place, image.data?.digest);
  const waivers = useImageWaivers(place, image.data);
  const running = useRunningImages(place, image.data?.digest);
  if (image.isError) return <FaultView error={image.error} retry={() => void image.refetch()} />;
  const isLoading = standing.isLoading || waivers.isLoading || running.isLoading;
  if (!image.data || isLoading) return <DetailSkeleton />;
  return (
    <Stack gap="lg" pt="sm">
      <Head place={place} image={image.data} />
      {kindOf(image.data.layers) === 'image' ? (
        <Parts place={place} image={image.data} />
      ) : (
        <Details place={place} image={image.data} />
      )}
    </Stack>
  );
}

interface PartsProps {
  place: RepositoryLocation;
  image: ImageDetail;
}

function Parts({ place, image }: PartsProps) {
  const t = useMessages('images');
  const { title: packages } = useMessages('imagePackages');
  const { part, platform, layer, open, choose } = useShownPart();
  const picker = <PlatformPicker image={image} chosen={platform} onChoose={choose} />;
  return (
    <Tabs
      value={part}
      onChange={(chosen) => open(chosen === 'packages' ? 'packages' : 'details', null)}
      keepMounted={false}
    >
      <Tabs.List mb="md">
        <Tabs.Tab value="details">{t.details}</Tabs.Tab>
        <Tabs.Tab value="packages">{packages}</Tabs.Tab>
      </Tabs.List>
      <Tabs.Panel value="details">
        <Details
          place={place}
          image={image}
          layer={layer}
          onPackages={(digest) => open('packages', digest)}
        >
          {picker}
        </Details>
      </Tabs.Panel>
      <Tabs.Panel value="packages">
        <Stack gap="md">
          {picker}
          <ImagePackages
            place={place}
            image={image}
            platform={platform}
            layer={layer}
            onAllLayers={() => open('packages', null)}
          />
        </Stack>
      </Tabs.Panel>
    </Tabs>
  );
}

interface DetailsProps {
  place: RepositoryLocation;
  image: ImageDetail;
  /** Digest of the layer to show. */
  layer?: string | null;
  onPackages?: (layer: string) => void;
  children?: ReactNode;
}

function Details({ place, image, layer = null, onPackages, children }: DetailsProps) {
  return (
    <Stack gap="lg">
      <Explanation place={place} image={image} />
      <PullCommands place={place} image={image} />
      {children}
      <AbsentPlatforms image={image} />
      <RunningImages place={place} digest={image.digest} />
      <Layers
        layers={image.layers}
        jobId={image.scan?.job_id ?? null}
        marked={layer}
        {...(onPackages && { onPackages })}
      />
      {kindOf(image.layers) === 'image' && <ImageConfig image={image} />}
      <Referrers image={image} />
      <Statements place={place} image={image} />
    </Stack>
  );
}

function Head({ place, image }: { place: RepositoryLocation; image: ImageDetail }) {
  const [t, format] = useWords('images');
  const isImage = kindOf(image.layers) === 'image';
  return (
    <FactList
      facts={[
        [t.digest, <Digest key="digest" digest={image.digest} />],
        [
          t.verdict,
          <div key="verdict">
            {image.scan === null ? t.neverJudged : <ScanResult scan={image.scan} />}
            <GateBypass image={image} />
            <ImageWaivers place={place} image={image} />
            {isImage && (
              <div>
                <ScanButton image={image} wasScanned={image.scan !== null} />
              </div>
            )}
          </div>,
        ],
        [t.size, format.bytes(image.size)],
        [t.created, image.created && <RelativeTime key="created" at={image.created} />],
        [
          t.mediaType,
          <span key="type" className={classes.code}>
            {image.media_type}
          </span>,
        ],
      ]}
    />
  );
}

interface PlatformPickerProps {
  image: ImageDetail;
  chosen: string | null;
  onChoose(platform: string): void;
}

function PlatformPicker({ image, chosen, onChoose }: PlatformPickerProps) {
  const [t, format] = useWords('images');
  const choices = image.platforms.map(({ os, architecture, variant, size }) => {
    const value = [os, architecture, variant].filter(Boolean).join('/');
    return { value, label: `${value} · ${format.bytes(size)}` };
  });
  if (choices.length === 0) return null;
  if (choices.length === 1)
    return (
      <Group gap={18}>
        <Text c="dimmed">{t.platform}</Text>
        <Text>{choices[0]?.label}</Text>
      </Group>
    );
  return (
    <Select
      label={t.platform}
      data={choices}
      value={chosen ?? choices[0]?.value ?? null}
      onChange={(value) => value !== null && onChoose(value)}
      allowDeselect={false}
      maw={320}
    />
  );
}

function DetailSkeleton() {
  return (
    <Stack aria-busy="true">
      <Skeleton height={90} />
      <Skeleton height={120} />
      <Skeleton height={200} />
    </Stack>
  );
}
