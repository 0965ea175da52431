// Protects users who read the changelog before an update: each published version has a date, no new operation is missing.
import { readFileSync } from 'node:fs';
import { join } from 'node:path';

import manifest from '../../package.json';
import { readStoredWorkflow } from '../releases/storedWorkflows';
import { packServices } from '../support/pack';

const changelog = readFileSync(join(__dirname, '../../CHANGELOG.md'), 'utf8');
const sectionTitles = [...changelog.matchAll(/^## (.*)$/gm)].map(([, title]) => title!);

/** Follows the newest version in place of a date until it is published. */
const NOT_PUBLISHED = ' (not published yet)';

it('the changelog begins with the section Unreleased, and has a date for every published version', () => {
	const [firstSection, newestVersion, ...olderVersions] = sectionTitles;
	const publishedVersions = newestVersion?.endsWith(NOT_PUBLISHED)
		? olderVersions
		: [newestVersion, ...olderVersions];
	expect(firstSection).toBe('Unreleased');
	expect(
		publishedVersions.filter((title) => !/^\d+\.\d+\.\d+ \(\d{4}-\d\d-\d\d\)$/.test(title ?? '')),
	).toEqual([]);
});

it('the first version in the changelog is that of package.json', () => {
	expect(sectionTitles[1]?.split(' ')[0]).toBe(manifest.version);
});

/**
 * The lines below _Unreleased_ and below a version that is not published yet. After a release there are none: every operation
 * must then be in the workflows of that version.
 */
const unreleasedLines = changelog
	.split(/^## .*$/m)
	.slice(1, sectionTitles[1]?.endsWith(NOT_PUBLISHED) ? 3 : 2)
	.flatMap((section) => section.split('\n'));

it.each(packServices)(
	'the changelog names every operation of $name that the stored workflows of this version lack (`npm run release:keep`)',
	({ name, service, Node }) => {
		const { nodes } = readStoredWorkflow(manifest.version, name).workflow;
		const isStored = (resource: string, operation: string) =>
			nodes.some(
				({ parameters }) => parameters.resource === resource && parameters.operation === operation,
			);
		const title = new Node().description.displayName;
		const addedOperations = Object.entries(service.resources).flatMap(([resourceName, resource]) =>
			Object.entries(resource.operations)
				.filter(([operation]) => !isStored(resourceName, operation))
				.map(([, operation]) => `_${resource.name}: ${operation.name}_`),
		);
		const isNamed = (operation: string) =>
			unreleasedLines.some((line) => line.includes(title) && line.includes(operation));
		expect(nodes.length).toBeGreaterThan(5);
		expect(addedOperations.filter((operation) => !isNamed(operation))).toEqual([]);
	},
);
