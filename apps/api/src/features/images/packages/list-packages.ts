/** The packages of an image, from the stored list of its scan. */
import { notFound, tooLarge } from '@portcullis/errors';
import { type ImageQuery, patienceOf, readImage } from '../read-image.ts';
import { noImage, type RegistryScope, type Repositories } from '../repositories.ts';
import { type PackageFilter, type PackagePage, packagePage } from './package-page.ts';
import type { StoredScans } from './stored-scans.ts';

export interface PackageQuery extends ImageQuery, Omit<PackageFilter, 'layers'> {}

export interface ListPackagesPorts {
  repositories: Pick<Repositories, 'open'>;
  scans: Pick<StoredScans, 'packages'>;
}

export function createListPackages({ repositories, scans }: ListPackagesPorts) {
  /** @throws not_found `REPORT_UNKNOWN`, too_large `PACKAGES_TOO_MANY`, invalid `CURSOR_INVALID` */
  return async function listPackages(
    scope: RegistryScope,
    query: PackageQuery,
  ): Promise<PackagePage> {
    const opened = await repositories.open(scope, query.repository, 'pull');
    const signal = patienceOf(scope);
    const content = await opened.ask(noImage(query.repository, query.tag), (repository) =>
      readImage(repository, query, signal),
    );
    const listed = await scans.packages({ opened, content, principal: scope.principal });
    if (!('absent' in listed)) {
      const layers = content.layers.map(({ digest }) => digest);
      return packagePage(listed.packages, { ...query, layers });
    }
    if (listed.absent === 'too_large')
      throw tooLarge('PACKAGES_TOO_MANY', 'The image has too many packages to list.');
    throw notFound('REPORT_UNKNOWN', 'No scan has stored the packages of this image.');
  };
}
