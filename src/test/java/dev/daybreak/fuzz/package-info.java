/** Every route of the API description under requests that no decent client sends. */
package dev.daybreak.fuzz;
