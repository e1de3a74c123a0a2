/** What the drawer of an image shows, kept in the URL beside the filter of the tags. */
import { PACKAGE_ORDERS, type PackageOrder } from '@portcullis/domain';
import { useUrlPart } from '../../../kit/use-url-part.ts';

type Part = 'details' | 'packages';

const BY_NAME: PackageOrder = 'name';

export function useShownPart() {
  const [read, change] = useUrlPart();
  const part: Part = read('part') === 'packages' ? 'packages' : 'details';
  return {
    part,
    /** Null: the api chooses. */
    platform: read('platform') || null,
    /** The digest of the layer that is marked, or whose packages alone are listed; or null. */
    layer: read('layer') || null,
    /** A link to the packages of a layer shows all of them, whatever was searched. */
    open: (next: Part, layer: string | null) =>
      change({
        part: next === 'details' ? '' : next,
        layer: layer ?? '',
        ...(next === 'packages' && layer !== null && { package: '' }),
      }),
    /** Its layers are others. */
    choose: (platform: string) => change({ platform, layer: '' }),
  };
}

export function usePackageView() {
  const [read, change] = useUrlPart();
  return {
    words: read('package'),
    sort: PACKAGE_ORDERS.find((each) => each === read('package_sort')) ?? BY_NAME,
    search: (words: string) => change({ package: words }),
    order: (sort: string) => change({ package_sort: sort === BY_NAME ? '' : sort }),
  };
}
