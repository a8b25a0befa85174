export const leaseKey = { namespace: 'liqo', name: 'controller-manager' };
