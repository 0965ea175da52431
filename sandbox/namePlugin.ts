import type { FastifyInstance } from 'fastify';

type Plugin = (server: FastifyInstance) => Promise<void>;

/** Property from which Fastify 5.12.8 reads the name of a plugin (lib/plugin-utils.js, getDisplayName). */
const DISPLAY_NAME = Symbol.for('fastify.display-name');

/**
 * Gives a plugin a name. Fastify searches all loaded modules for a plugin without one, twice per registration: together 30 ms
 * at each start of a sandbox in a process that has loaded n8n's engine.
 */
export const namePlugin = (name: string, plugin: Plugin): Plugin =>
	Object.assign(plugin, { [DISPLAY_NAME]: name });
