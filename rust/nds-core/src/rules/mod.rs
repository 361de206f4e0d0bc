//! The decisions of the Neuron DataStore.
