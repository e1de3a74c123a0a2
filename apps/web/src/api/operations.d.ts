declare module 'virtual:operations' {
  export const operations: Record<
    import('@portcullis/client/request').OperationName,
    import('@portcullis/client/request').OperationEndpoint
  >;
}
