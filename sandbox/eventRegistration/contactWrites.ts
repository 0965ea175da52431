import type { FieldProblems } from '../controlError';
import type { Act } from '../deskBus';
import type { Settings } from '../service';
import { invalid } from './answers';
import { checkForm, mergeCustom } from './checks';
import { fullName, iso } from './records';
import type { Contact, ContactInput } from './records';
import type { ListEntry, Store } from './store';

/** Write operations on contacts, shared by the API and the desk. */
export function contactWrites(store: () => Store, settings: Settings) {
	const add = ({ list, partition }: ListEntry, input: ContactInput, act: Act): Contact => {
		const { CustomFields, ...fields } = input;
		const id = store().newId('contact');
		const contact = {
			ContactId: id,
			Id: String(id),
			...fields,
			CustomFields: mergeCustom([], CustomFields),
			DateAdded: iso(act.now),
			LastUpdated: iso(act.now),
		};
		store().contacts.add(partition, contact);
		list.LastUpdated = iso(act.now);
		return contact;
	};

	/** Publishes one change for all of them: ten thousand single changes would make the desk's list useless. */
	const publishAdded = ({ list }: ListEntry, added: readonly Contact[], act: Act) => {
		const [first, ...others] = added;
		if (!first) return;
		const who = others.length === 0 ? `${fullName(first)} was` : `${added.length} contacts were`;
		store().publish(act, `${who} added to ${list.Name}`, { list });
	};

	return {
		/** Adds all contacts, or only the valid ones, as the settings say; reports the others as invalid. */
		addMany(entry: ListEntry, inputs: readonly ContactInput[], act: Act): void {
			const wrong: FieldProblems = {};
			const good = inputs.filter((input, index) => {
				const rules = { partial: false, prefix: `[${index}].` };
				const state = checkForm(store().contactForm, { ...input }, rules);
				Object.assign(wrong, state);
				return Object.keys(state).length === 0;
			});
			const allGood = good.length === inputs.length;
			if (allGood || settings.addContacts === 'keepGood') {
				const added = good.map((input) => add(entry, input, act));
				publishAdded(entry, added, act);
			}
			if (!allGood) throw invalid(wrong);
		},

		addOne(entry: ListEntry, input: ContactInput, act: Act): Contact {
			const wrong = checkForm(store().contactForm, { ...input }, { partial: false });
			if (Object.keys(wrong).length > 0) throw invalid(wrong);
			const contact = add(entry, input, act);
			publishAdded(entry, [contact], act);
			return contact;
		},

		change({ list }: ListEntry, contact: Contact, input: ContactInput, act: Act): Contact {
			const wrong = checkForm(store().contactForm, { ...input }, { partial: true });
			if (Object.keys(wrong).length > 0) throw invalid(wrong);
			const CustomFields = mergeCustom(contact.CustomFields, input.CustomFields);
			Object.assign(contact, input, { CustomFields, LastUpdated: iso(act.now) });
			store().publish(act, `${fullName(contact)} was changed in ${list.Name}`, { list });
			return contact;
		},

		remove({ list, partition }: ListEntry, contact: Contact, act: Act): void {
			store().contacts.remove(partition, contact.ContactId);
			list.LastUpdated = iso(act.now);
			store().publish(act, `${fullName(contact)} was removed from ${list.Name}`, { list });
		},
	};
}
