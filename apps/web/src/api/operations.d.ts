declare module 'virtual:operations' {
  export const operations: Record<
    import('./operation-name.ts').OperationName,
    import('./endpoint.ts').Endpoint
  >;
}
