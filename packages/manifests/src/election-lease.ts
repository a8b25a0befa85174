/** What the replicas of the controllers agree by who works. It is part of the installation, so that it goes with it. */
export const electionLease = '66cf253f.ctrlmgr.liqo.io';
