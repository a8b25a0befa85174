export const reading = ['get', 'list', 'watch'];
export const everything = ['create', 'delete', ...reading, 'patch', 'update'];
