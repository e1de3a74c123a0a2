/**
 * The orders of lists of repositories, tags, packages and images of a folder; a minus sign means
 * descending. Equal ones are by name, images of a folder by urgency and then newest first.
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

/**
 * Of the images of a folder: by urgency blocked ones are first, then those with the most severe
 * findings. By findings those without a report are last in both directions.
 */
export const FOLDER_IMAGE_ORDERS = [
  'urgency',
  '-urgency',
  'repository',
  '-repository',
  'findings',
  '-findings',
  'size',
  '-size',
] as const;
export type FolderImageOrder = (typeof FOLDER_IMAGE_ORDERS)[number];
