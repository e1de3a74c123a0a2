/**
 * The orders of lists of repositories, tags and packages; a minus sign means descending. Equal ones
 * are by name.
 */
export const REPOSITORY_ORDERS = [
  'name',
  '-name',
  'tag_count',
  '-tag_count',
  'size',
  '-size',
  'updated_at',
  '-updated_at',
] as const;
export type RepositoryOrder = (typeof REPOSITORY_ORDERS)[number];

export const TAG_ORDERS = [
  '-updated_at',
  'updated_at',
  'tag',
  '-tag',
  'size',
  '-size',
  'standing',
  '-standing',
] as const;
export type TagOrder = (typeof TAG_ORDERS)[number];

/** `layer` is the order in the image. What has no known value is last in both directions. */
export const PACKAGE_ORDERS = [
  'name',
  '-name',
  'licenses',
  '-licenses',
  'layer',
  '-layer',
] as const;
export type PackageOrder = (typeof PACKAGE_ORDERS)[number];
