import { bytes, object, string } from '../schema.ts';

const awsConfig = object({
  required: {
    awsUserArn: string(),
    awsAccessKeyID: string(),
    awsSecretAccessKey: string(),
    awsRegion: string(),
    awsClusterName: string(),
  },
});

/** All that a consumer needs, beside its own private key, to talk to the API server of a provider. */
export const authParams = object({
  optional: {
    ca: bytes('PEM bundle that proves the API server; absent when a public authority does.'),
    signedCRT: bytes('PEM client certificate.'),
    apiServer: string({ description: 'The URL of the API server.' }),
    proxyURL: string({ description: 'The HTTP CONNECT proxy on the way to it.' }),
    awsConfig,
  },
});
