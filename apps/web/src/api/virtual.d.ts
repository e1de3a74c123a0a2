declare module 'virtual:operations' {
  export const operations: Record<
    import('@portcullis/client/request').OperationName,
    import('@portcullis/client/request').OperationEndpoint
  >;
}

declare module 'virtual:limits' {
  interface Limits {
    maxLength?: number;
    min?: number;
    max?: number;
    maxTags?: number;
  }
  /** Of operations whose body has some, by the path of the field. */
  export const limits: Partial<
    Record<import('@portcullis/client/request').OperationName, Record<string, Limits>>
  >;
}

declare module 'virtual:guide' {
  /** The address of the folder with its pages, such as `kubernetes.md`. */
  export const GUIDE: string;
}
